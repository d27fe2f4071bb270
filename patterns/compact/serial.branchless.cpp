#include "keep.hpp"
#include "suite/variant.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  *call.array<std::int32_t>(2) = static_cast<std::int32_t>(compact::keep_all<T, compact::keep_branchless<T>>(
      call.problem.extents.x, call.array<const T>(0), call.array<T>(1)));
}

}  // namespace

Variant compact_serial_branchless() {
  Variant variant;
  variant.description =
      "every element is written, and the place moves on where it was kept: no branch to predict";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
