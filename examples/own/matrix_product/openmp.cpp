#include <algorithm>

#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Block {
  int block_k = 64;
};

// Each thread computes some rows. It reads block_k rows of b at a time, which stay in its cache for all its
// rows.
template <typename T>
void launch(const Call& call) {
  const std::int64_t x = call.problem.extents.x, y = call.problem.extents.y, z = call.problem.extents.z;
  const std::int64_t block = call.tuned<Block>().block_k;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t row = 0; row < y; ++row) std::fill_n(c + row * x, x, T(0));
    for (std::int64_t first = 0; first < z; first += block) {
      const std::int64_t end = std::min(z, first + block);
#pragma omp for schedule(static) nowait
      for (std::int64_t row = 0; row < y; ++row)
        for (std::int64_t k = first; k < end; ++k) {
          const T factor = a[row * z + k];
#pragma omp simd
          for (std::int64_t column = 0; column < x; ++column)
            c[row * x + column] += factor * b[k * x + column];
        }
    }
  }
}

}  // namespace

std::vector<Variant> matrix_product_openmp() {
  return {{.name = "rows",
           .description = "rows over threads, b in blocks of rows, columns as vectors",
           .tunables = tunables<Block>({{"block_k", &Block::block_k, {16, 32, 64, 128, 256}}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
