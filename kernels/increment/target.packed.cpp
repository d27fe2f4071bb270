// As teams_simd, 16-byte packs, some of them a lane at a time.
#include "loop.hpp"
#include "toolbox/target/packed.hpp"

namespace sextant {
namespace {

struct Operation {
  template <typename T>
  static SEXTANT_INLINE T apply(T x, T, T) {
    return x + T(1);
  }
};

template <typename T>
void launch(const Call& call) {
  T* a = call.array<T>(0);
  for (std::int64_t loop = 0; loop < increment::loops(call); ++loop)
    target::packed_loop<1, Operation>(call.problem.extents.x, a, a, a, T(0), call.tuned<target::Packs>());
}

}  // namespace

Variant increment_target_packed() {
  Variant variant =
      target::packs_variant("teams distribute simd, some 16-byte packs a lane at a time, a region a loop");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
