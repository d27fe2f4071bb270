#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using VectorLengths = Choices<32, 64, 128, 256>;
using Packs = Choices<1, 2, 4>;

struct Gang {
  int vector_length = 32, packs_per_thread = 2;
};

// Neighbouring threads are in neighbouring rows, each with `packs` accesses of `width` elements.
template <typename T, int vector_length_, int packs, int width>
void copy(std::int64_t n, const T* b, T* c) {
  constexpr int columns = packs * width;
  const int blocks_y = static_cast<int>((n + vector_length_ - 1) / vector_length_);
  const int blocks_x = static_cast<int>((n + columns - 1) / columns);
  const int gangs = openacc::gangs_for(std::int64_t{blocks_y} * blocks_x * vector_length_, vector_length_);
#pragma acc parallel loop gang(static : 1) vector collapse(3) present(b [0:n * n], c [0:n * n]) \
    vector_length(vector_length_) num_gangs(gangs)
  for (std::int64_t block_y = 0; block_y < blocks_y; ++block_y)
    for (int block_x = 0; block_x < blocks_x; ++block_x)
      for (int thread = 0; thread < vector_length_; ++thread) {
        const std::int64_t y = block_y * vector_length_ + thread;
        if (y >= n) continue;
        T values[packs][width];
        std::int64_t at[packs];
#pragma GCC unroll 16
        for (int k = 0; k < packs; ++k) {  // past the row's end: its last pack once more
          const std::int64_t x = (std::int64_t{block_x} * packs + k) * width;
          at[k] = y * n + (x < n ? x : n - width);
          openacc::load<width>(b + at[k], values[k]);
        }
#pragma GCC unroll 16
        for (int k = 0; k < packs; ++k) openacc::store<width>(c + at[k], values[k]);
      }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto gang = call.tuned<Gang>();
  VectorLengths::with(gang.vector_length, [&]<int V>() {
    Packs::with(gang.packs_per_thread, [&]<int P>() {
      constexpr int width = openacc::pack_width<T>;
      if (n % width == 0)
        copy<T, V, P, width>(n, call.array<const T>(0), call.array<T>(1));
      else  // rows start anywhere: plain accesses
        copy<T, V, P * width, 1>(n, call.array<const T>(0), call.array<T>(1));
    });
  });
}

}  // namespace

Variant rows_openacc_packed() {
  Variant variant;
  variant.description = "a thread a row, several 16-byte packs of neighbouring columns each";
  variant.home = Home::openacc;
  variant.aside = true;  // several neighbouring columns at once: not the order of the kernel
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()},
                                     {"packs_per_thread", &Gang::packs_per_thread, Packs::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
