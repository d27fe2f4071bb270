#include "blocks.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  cholesky::factor<T>(call, [](std::int64_t begin, std::int64_t end, const auto& body) {
    for (std::int64_t i = begin; i < end; ++i) body(i);
  });
}

}  // namespace

Variant cholesky_serial_blocked() {
  Variant variant;
  variant.description = "blocks of 64 columns: factor, solve, subtract; sums in the lanes of vectors";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
