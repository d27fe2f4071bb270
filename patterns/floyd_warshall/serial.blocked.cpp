#include "blocks.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  floyd_warshall::blocked<T>(call, [](std::int64_t count, const auto& body) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
  });
}

}  // namespace

Variant floyd_warshall_serial_blocked() {
  Variant variant = floyd_warshall::blocked_variant(
      "64 vertices at a time: paths among them, onward, then bands of rows, whose cells stay in registers");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
