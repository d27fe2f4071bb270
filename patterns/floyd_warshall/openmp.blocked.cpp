#include "blocks.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  floyd_warshall::blocked<T>(call, [](std::int64_t count, const auto& body) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i) body(i);
  });
}

}  // namespace

Variant floyd_warshall_openmp_blocked() {
  Variant variant = floyd_warshall::blocked_variant(
      "64 vertices at a time; threads over bands of rows, cells in registers");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
