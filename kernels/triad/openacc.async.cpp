#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/vector_length.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 32;
};

template <typename T, int vector_length_>
void loop(std::int64_t n, const T* a, const T* b, T* c, T s) {
#pragma acc parallel loop gang vector present(a [0:n], b [0:n], c [0:n]) vector_length(vector_length_) async
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    loop<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
               static_cast<T>(triad::scalar));
  });
}

}  // namespace

Variant triad_openacc_async() {
  Variant variant;
  variant.description = "the call returns before the loop is done: what an asynchronous launch costs";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.adapt = by_name<openacc::adapt_vector_length<Gang>>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
