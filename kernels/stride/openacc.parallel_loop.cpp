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
void copy(std::int64_t n, std::int64_t stride, const T* b, T* c) {
#pragma acc parallel loop present(b [0:n], c [0:n]) vector_length(vector_length_)
  for (std::int64_t j = 0; j < n; ++j) {
    const std::int64_t i = stride::Order(n, stride)(j);
    c[i] = b[i];
  }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    copy<T, V>(call.problem.extents.x, call.problem.parameters[0], call.array<const T>(0), call.array<T>(1));
  });
}

}  // namespace

Variant stride_openacc_parallel_loop() {
  Variant variant;
  variant.description = "the study's form: parallel loop, present, vector_length";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
