#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/packed.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 128;
};

struct Triad {
  template <typename T>
  static SEXTANT_INLINE T apply(T x, T y, T s) {
    return x + s * y;
  }
};

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    openacc::packed_loop<Triad, V, 2>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                                      call.array<T>(2), static_cast<T>(triad::scalar));
  });
}

// What lost least on an H200 at the study's sizes.
void adapt(const Problem& problem, Gang& gang) {
  if (problem.n >= (std::int64_t{4} << 20)) gang.vector_length = 512;
}

}  // namespace

Variant triad_openacc_packed() {
  Variant variant;
  variant.description = "one 16-byte pack a thread, iterations dealt out in turn";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
