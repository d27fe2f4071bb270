// As teams_simd, 16-byte packs, some of them a lane at a time.
#include "loop.hpp"
#include "toolbox/target/packed.hpp"

namespace sextant {
namespace {

struct Operation {
  template <typename T>
  static SEXTANT_INLINE T apply(T x, T, T s) {
    return s * x;
  }
};

template <typename T>
void launch(const Call& call) {
  target::packed_loop<1, Operation>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(0),
                                    call.array<T>(1), static_cast<T>(scale::scalar),
                                    call.tuned<target::Packs>());
}

}  // namespace

Variant scale_target_packed() {
  Variant variant = target::packs_variant("teams distribute simd, some 16-byte packs a lane at a time");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
