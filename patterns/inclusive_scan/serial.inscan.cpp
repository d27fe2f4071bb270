#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  inclusive_scan::scan_from(T(0), call.problem.extents.x, call.array<const T>(0), call.array<T>(1));
}

}  // namespace

Variant inclusive_scan_serial_inscan() {
  Variant variant;
  variant.description = "OpenMP's simd scan: the sums within a vector by doubling";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
