#include "keep.hpp"
#include "suite/variant.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  *call.array<std::int32_t>(2) = static_cast<std::int32_t>(compact::keep_all<T, compact::keep<T>>(
      call.problem.extents.x, call.array<const T>(0), call.array<T>(1)));
}

}  // namespace

Variant compact_serial_compress() {
  Variant variant;
  variant.description = "AVX-512's compress: the lanes that are kept move together";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
#if !defined(__AVX512F__)
  variant.unavailable = [] { return "this processor, or the one it was built for, has no AVX-512"; };
#endif
  return variant;
}

}  // namespace sextant
