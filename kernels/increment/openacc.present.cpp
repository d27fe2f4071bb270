// The same loops on arrays that are on the device already: what is left when no data moves.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 128;
};

template <typename T, int vector_length_>
void once(std::int64_t n, T* a) {
#pragma acc parallel loop present(a [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T, int vector_length_>
void twice(std::int64_t n, T* a) {
#pragma acc parallel loop present(a [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
#pragma acc parallel loop present(a [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    const auto loops = increment::loops(call) == 1 ? once<T, V> : twice<T, V>;
    loops(call.problem.extents.x, call.array<T>(0));
  });
}

}  // namespace

Variant increment_openacc_present() {
  Variant variant;
  variant.description = "parallel loop, a region a loop, on arrays that stay on the device";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
