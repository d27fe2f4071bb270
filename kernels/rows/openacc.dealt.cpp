#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 128;
};

// Neighbouring threads are in neighbouring rows; neighbouring gangs in neighbouring columns of these rows, so
// that what one gang leaves unused of a 32-byte sector is still in the cache when the next asks for it.
template <typename T, int vector_length_>
void copy(std::int64_t n, const T* b, T* c) {
  const int blocks = static_cast<int>((n + vector_length_ - 1) / vector_length_), side = static_cast<int>(n);
  const int gangs = openacc::gangs_for(n * blocks * vector_length_, vector_length_);
#pragma acc parallel loop gang(static : 1) vector collapse(3) present(b [0:n * n], c [0:n * n]) \
    vector_length(vector_length_) num_gangs(gangs)
  for (std::int64_t block = 0; block < blocks; ++block)
    for (int x = 0; x < side; ++x)
      for (int thread = 0; thread < vector_length_; ++thread) {
        const std::int64_t y = block * vector_length_ + thread;
        if (y < n) c[y * n + x] = b[y * n + x];
      }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    copy<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<T>(1));
  });
}

}  // namespace

Variant rows_openacc_dealt() {
  Variant variant;
  variant.description = "a thread a row, a column a gang; gangs walk along the rows";
  variant.home = Home::openacc;
  variant.aside = true;  // neighbouring columns follow each other: not the order of the kernel
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
