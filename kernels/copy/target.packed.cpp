// As teams_simd, 16 bytes a lane at a time.
#include "loop.hpp"
#include "toolbox/target/packed.hpp"

namespace sextant {
namespace {

struct Operation {
  template <typename T>
  static SEXTANT_INLINE T apply(T x, T) {
    return x;
  }
};

template <typename T>
void launch(const Call& call) {
  target::packed_loop<Operation>(call.problem.extents.x, call.array<const T>(0), call.array<T>(1), T(0),
                                 call.tuned<target::Warps>());
}

}  // namespace

Variant copy_target_packed() {
  Variant variant = target::warps_variant("teams distribute simd, one 16-byte pack a lane at a time");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
