#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument, as GCC wants it constant.
template <typename T, int length>
void sum_segments(std::int64_t m, std::int64_t n, const std::int32_t* o, const T* a, T* y) {
#pragma acc parallel loop gang vector present(o [0:m + 1], a [0:n], y [0:m]) vector_length(length)
  for (std::int64_t j = 0; j < m; ++j) {
    T sum = 0;
    for (std::int64_t i = o[j]; i < o[j + 1]; ++i) sum += a[i];
    y[j] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    sum_segments<T, length>(call.problem.extents.x, segmented::elements_of(call.problem),
                            call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace

Variant segmented_openacc_gang_vector() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: a parallel loop over the segments, one a lane";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
