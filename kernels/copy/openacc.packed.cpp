#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/packed.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 256;
};

struct Copy {
  template <typename T>
  static SEXTANT_INLINE T apply(T, T y, T) {
    return y;
  }
};

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    openacc::packed_loop<Copy, V, 1>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(0),
                                     call.array<T>(1), T{});
  });
}

}  // namespace

Variant copy_openacc_packed() {
  Variant variant;
  variant.description = "one 16-byte pack a thread, iterations dealt out in turn";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
