#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/vector_length.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument, as GCC wants it constant.
template <typename T, int length>
void move(std::int64_t n, const std::int32_t* p, const T* a, T* y) {
#pragma acc parallel loop present(p [0:n], a [0:n], y [0:n]) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) y[p[i]] = a[i];
}

template <typename T>
void launch(const Call& call) {
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    move<T, length>(call.problem.extents.x, call.array<const std::int32_t>(0), call.array<const T>(1),
                    call.array<T>(2));
  });
}

}  // namespace

Variant scatter_openacc_parallel_loop() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: a parallel loop on data that is present";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.adapt = by_name<openacc::adapt_vector_length<Gang>>;
  return variant;
}

}  // namespace sextant
