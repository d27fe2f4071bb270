#include "loop.hpp"
#include "suite/choices.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

template <typename T, int vector_length_>
void sweep(std::int64_t n, const T* b, T* c) {
#pragma acc parallel loop present(b [0:n], c [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) c[i] = i == 0 || i == n - 1 ? b[i] : stencil1d_2pt::point(b, i);
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuning[0], [&]<int V>() {
    sweep<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<T>(1));
  });
}

}  // namespace

Variant stencil1d_2pt_openacc_parallel_loop() {
  Variant variant;
  variant.description = "the study's form: parallel loop, present, vector_length";
  variant.home = Home::openacc;
  variant.tunables = {{"vector_length", VectorLengths::list(), 128}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
