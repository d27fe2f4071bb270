// The form that the study replaced: the clauses move all arrays on every call.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 32;
};

template <typename T, int vector_length_>
void loop(std::int64_t n, const T* a, const T* b, T* c, T s) {
#pragma acc parallel loop copyin(a [0:n], b [0:n]) copyout(c [0:n]) vector_length(vector_length_)
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

Variant triad_openacc_data_clauses() {
  Variant variant;
  variant.description = "the study's earlier form: data clauses on the loop, transfers on every call";
  variant.home = Home::host;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
