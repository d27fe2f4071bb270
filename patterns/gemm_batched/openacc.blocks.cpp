// A thread has 4 x 8 elements of C in registers, for which it reads 4 rows of A and 8 columns of B by 16-byte packs: 3 elements of both for 8
// multiplications, where a row of 16 elements (openacc.cells) asks for 17 for 16. Matrices whose rows are multiples of 8.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using openacc::pack_width;
using Lengths = Choices<64, 128, 256>;
constexpr int rows = 4, columns = 8;

struct Gang {
  int vector_length = 128;
};

// a: the first of the rows, b: the first of the columns, of m by m matrices; c: the first element.
template <typename T>
SEXTANT_INLINE void multiply_block(int m, const T* a, const T* b, T* c) {
  constexpr int width = pack_width<T>;
  T sums[rows][columns] = {};
  for (int k = 0; k < m; k += width) {
    T left[rows][width], right[width][columns];
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) openacc::load_pack(a + r * m + k, left[r]);
#pragma GCC unroll 4
    for (int f = 0; f < width; ++f)
#pragma GCC unroll 4
      for (int j = 0; j < columns; j += width) openacc::load_pack(b + (k + f) * m + j, right[f] + j);
#pragma GCC unroll 4
    for (int f = 0; f < width; ++f)
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
        for (int j = 0; j < columns; ++j) sums[r][j] += left[r][f] * right[f][j];
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int j = 0; j < columns; j += width) openacc::store_pack(c + r * m + j, sums[r] + j);
}

template <int length, typename Index, typename T>
void multiply(Index batches, int m, const T* a, const T* b, T* c) {
  const std::int64_t count = std::int64_t{batches} * m * m;
  const int across = m / columns, blocks = across * (m / rows);
  const Index all = batches * blocks;
  const int gangs = openacc::gangs_for(all, length);
#pragma acc parallel loop gang(static : 1) vector present(a [0:count], b [0:count], c [0:count]) \
    vector_length(length) num_gangs(gangs)
  for (Index block = 0; block < all; ++block) {
    const Index batch = block / blocks;
    const int place = static_cast<int>(block - batch * blocks), i = place / across * rows,
              j = place % across * columns;
    const std::int64_t first = std::int64_t{batch} * m * m;
    multiply_block(m, a + first + i * m, b + first + j, c + first + i * m + j);
  }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
      multiply<length>(static_cast<Index>(gemm_batched::batches_of(call.problem)),
                       static_cast<int>(gemm_batched::size_of(call.problem)), call.array<const T>(0),
                       call.array<const T>(1), call.array<T>(2));
    });
  });
}

const char* refuse(const Problem& problem, const Gang&) {
  return gemm_batched::size_of(problem) % columns != 0 ? "rows are no multiple of 8 elements" : nullptr;
}

}  // namespace

Variant gemm_batched_openacc_blocks() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "4 x 8 elements of C in a thread's registers, 16-byte packs of A's rows and B's";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<refuse>;
  return variant;
}

}  // namespace sextant
