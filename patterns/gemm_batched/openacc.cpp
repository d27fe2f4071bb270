#include "cell.hpp"
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

// A thread computes 4 x 8 elements of C in registers from 4 rows of A and 8 columns of B. This takes fewer
// loads per multiplication than openacc.cells. Neighbouring threads have neighbouring rows and columns, so
// that a warp's accesses touch few cache lines. The matrix size must be a multiple of 8.
namespace blocks {

using openacc::pack_width;
using Lengths = Choices<64, 128, 256>;
constexpr int rows = 4, columns = 8;

struct Gang {
  int vector_length = 128;
};

// Adds the products for `width` consecutive values of k, where a 16-byte pack has `width` elements.
template <typename T>
SEXTANT_INLINE void add_products(int m, int k, const T* a, const T* b, T (&sums)[rows][columns]) {
  constexpr int width = pack_width<T>;
  T left[rows][width], right[width][columns];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) openacc::load_pack(a + r * (m / rows) * m + k, left[r]);
#pragma GCC unroll 4
  for (int f = 0; f < width; ++f)
#pragma GCC unroll 4
    for (int j = 0; j < columns; j += width)
      openacc::load_pack(b + (k + f) * m + j * (m / columns), right[f] + j);
#pragma GCC unroll 4
  for (int f = 0; f < width; ++f)
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
      for (int j = 0; j < columns; ++j) sums[r][j] += left[r][f] * right[f][j];
}

// Computes the calling thread's elements of C. `a` points to its first row of A, `b` to its first column of
// B, `c` to its first element of C. `known` is m, or 0 if m is known only at run time. With a known m the
// loop is unrolled, so that operands are loaded early.
template <int known, typename T>
SEXTANT_INLINE void multiply_block(int m, const T* a, const T* b, T* c) {
  constexpr int width = pack_width<T>;
  T sums[rows][columns] = {};
  if constexpr (known > 0) {
#pragma GCC unroll 8
    for (int k = 0; k < known; k += width) add_products(known, k, a, b, sums);
  } else {
    for (int k = 0; k < m; k += width) add_products(m, k, a, b, sums);
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int j = 0; j < columns; j += width)
      openacc::store_pack(c + r * (m / rows) * m + j * (m / columns), sums[r] + j);
}

template <int known, int length, typename Index, typename T>
void multiply(Index batches, int m, const T* a, const T* b, T* c) {
  const std::int64_t count = std::int64_t{batches} * m * m;
  const int across = m / columns, blocks = across * (m / rows);
  const Index all = batches * blocks;
  const int gangs = openacc::gangs_for(all, length);
#pragma acc parallel loop gang(static : 1) vector present(a [0:count], b [0:count], c [0:count]) \
    vector_length(length) num_gangs(gangs)
  for (Index block = 0; block < all; ++block) {
    const Index batch = block / blocks;
    const int place = static_cast<int>(block - batch * blocks), i = place / across,
              j = place % across * pack_width<T>;
    const std::int64_t first = std::int64_t{batch} * m * m;
    multiply_block<known>(m, a + first + i * m, b + first + j, c + first + i * m + j);
  }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
      const int m = static_cast<int>(gemm_batched::size_of(call.problem));
      const auto multiply_known = [&]<int known>() {
        multiply<known, length>(static_cast<Index>(gemm_batched::batches_of(call.problem)), m,
                                call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
      };
      m == 8    ? multiply_known.template operator()<8>()
      : m == 16 ? multiply_known.template operator()<16>()
                : multiply_known.template operator()<0>();
    });
  });
}

const char* refuse(const Problem& problem, const Gang&) {
  return gemm_batched::size_of(problem) % columns != 0 ? "only for matrices whose size is a multiple of 8"
                                                       : nullptr;
}

}  // namespace blocks

// A thread computes several neighbouring elements of a row of C (cell.hpp). Neighbouring threads work on the
// same matrix, which stays in the L1 cache.
namespace cells {

using Lengths = Choices<64, 128, 256>;

struct Gang {
  int vector_length = 128, columns = 16;
};

template <int length, int columns, int width, typename T>
void multiply(std::int64_t batches, int m, const T* a, const T* b, T* c) {
  const std::int64_t count = batches * m * m;
  const int across = (m + columns - 1) / columns, cells = m * across;
#pragma acc parallel loop gang vector present(a [0:count], b [0:count], c [0:count]) vector_length(length)
  for (std::int64_t cell = 0; cell < batches * cells; ++cell) {
    const std::int64_t batch = cell / cells, first = batch * m * m;
    const int place = static_cast<int>(cell - batch * cells), i = place / across,
              j = place % across * columns;
    gemm_batched::multiply_cell<columns, width>(m, j, a + first + i * m, b + first, c + first + i * m);
  }
}

template <typename T>
void launch(const Call& call) {
  const auto gang = call.tuned<Gang>();
  gemm_batched::with_columns<T>(gang.columns, call.problem, [&]<int columns, int width>() {
    Lengths::with(gang.vector_length, [&]<int length>() {
      multiply<length, columns, width>(gemm_batched::batches_of(call.problem),
                                       static_cast<int>(gemm_batched::size_of(call.problem)),
                                       call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
    });
  });
}

void adapt(const Problem& problem, Gang& gang) { gang.columns = gemm_batched::columns_for(problem); }

}  // namespace cells

namespace collapse {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument because GCC requires a constant.
template <int length, typename Index, typename T>
void multiply(Index batches, Index m, const T* a, const T* b, T* c) {
  const std::int64_t count = std::int64_t{batches} * m * m;
#pragma acc parallel loop gang vector collapse(3) present(a [0:count], b [0:count], c [0:count]) \
    vector_length(length)
  for (Index batch = 0; batch < batches; ++batch)
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < m; ++j) {
        const std::int64_t first = std::int64_t{batch} * m * m;
        T sum = 0;
#pragma acc loop seq
        for (Index k = 0; k < m; ++k) sum += a[first + i * m + k] * b[first + k * m + j];
        c[first + i * m + j] = sum;
      }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
      multiply<length>(static_cast<Index>(gemm_batched::batches_of(call.problem)),
                       static_cast<Index>(gemm_batched::size_of(call.problem)), call.array<const T>(0),
                       call.array<const T>(1), call.array<T>(2));
    });
  });
}

}  // namespace collapse

}  // namespace

std::vector<Variant> gemm_batched_openacc() {
  return {
      {.name = "blocks",
       .description = "4 x 8 elements of C per thread in registers, 16-byte packs of A and B",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<blocks::Gang>({{"vector_length", &blocks::Gang::vector_length, blocks::Lengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(blocks::launch),
       .constraint = by_name<blocks::refuse>},
      {.name = "cells",
       .description = "up to 16 elements of a row of C per thread in registers, 16-byte packs of B",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<cells::Gang>({{"vector_length", &cells::Gang::vector_length, cells::Lengths::list()},
                                  {"columns", &cells::Gang::columns, gemm_batched::Columns::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(cells::launch),
       .adapt = by_name<cells::adapt>},
      {.name = "collapse",
       .description = "the plain form: collapse(3) over matrices, rows and columns, one element per thread",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<collapse::Gang>({{"vector_length", &collapse::Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(collapse::launch)},
  };
}

}  // namespace sextant
