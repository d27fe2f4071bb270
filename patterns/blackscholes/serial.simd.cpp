#include "host.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  blackscholes::price_part<T>(call, 0, call.problem.extents.x);
}

}  // namespace

Variant blackscholes_serial_simd() {
  Variant variant;
  variant.description = "in the lanes of a vector, functions by arithmetic alone";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
