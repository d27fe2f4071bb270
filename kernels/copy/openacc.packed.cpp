#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/openacc/packed.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Copy {
  template <typename T>
  static SEXTANT_INLINE T apply(T, T y, T) {
    return y;
  }
};

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuning[0], [&]<int V>() {
    openacc::packed_loop<Copy, V, 1>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(0),
                                     call.array<T>(1), T{});
  });
}

}  // namespace

Variant copy_openacc_packed() {
  Variant variant;
  variant.description = "one 16-byte pack a thread, iterations dealt out in turn";
  variant.home = Home::openacc;
  variant.tunables = {{"vector_length", VectorLengths::list(), 128}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
