#include <openacc.h>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/openacc/tile.hpp"

// Computes C = A*B with a block of C in each thread's registers. The code is written so that GCC compiles it
// well. Only one source file may use this template. GCC 12's offload linker mishandles an offloaded template
// function that two files instantiate (docs/reference/openacc.md).
namespace sextant::openacc {

inline constexpr int columns_of_threads = 16;  // number of threads along a row of C

// Number of columns of C that a gang computes.
template <int groups, int width>
inline constexpr int block_columns = columns_of_threads* groups* width;

// Multiplies row-major n x n matrices. n must be at least rows_ and block_columns. A thread computes `rows_`
// rows by `groups` groups of `width` columns of C. It processes `depth` columns of A at a time. If `width` is
// 1, `depth` may be any number; otherwise it must equal `width`. Adjacent threads read the same elements of A
// and neighbouring packs of B. Blocks that would exceed the edge are moved inside. They recompute some
// elements with bitwise equal results and need no bounds checks.
template <typename T, int threads, int rows_, int groups, int width, int depth>
void multiply_blocks(std::int64_t n, const T* a, const T* b, T* c) {
  constexpr int thread_rows = threads / columns_of_threads, apart = columns_of_threads * width;
  const int blocks_i = static_cast<int>((n + rows_ * thread_rows - 1) / (rows_ * thread_rows));
  const int blocks_j =
      static_cast<int>((n + block_columns<groups, width> - 1) / block_columns<groups, width>);
  const int gangs = gangs_for(std::int64_t{blocks_i} * blocks_j * threads, threads);
#pragma acc parallel loop gang(static : 1) vector collapse(4) present(a [0:n * n], b [0:n * n], c [0:n * n]) \
    vector_length(threads) num_gangs(gangs)
  for (int block_i = 0; block_i < blocks_i; ++block_i)
    for (int block_j = 0; block_j < blocks_j; ++block_j)
      for (int thread_i = 0; thread_i < thread_rows; ++thread_i)
        for (int thread_j = 0; thread_j < columns_of_threads; ++thread_j) {
          std::int64_t i = (std::int64_t{block_i} * thread_rows + thread_i) * rows_;
          if (i > n - rows_) i = n - rows_;
          std::int64_t j = std::int64_t{block_j} * block_columns<groups, width>;
          if (j > n - block_columns<groups, width>) j = n - block_columns<groups, width>;
          j += thread_j * width;
          T sums[rows_][groups * width];
#pragma GCC unroll 16
          for (int r = 0; r < rows_; ++r)
#pragma GCC unroll 16
            for (int q = 0; q < groups * width; ++q) sums[r][q] = 0;
          const T *from_a = a + i * n, *from_b = b + j;
          std::int64_t k = 0;
          for (; k + depth <= n; k += depth) {
            T x[rows_][depth];
#pragma GCC unroll 16
            for (int r = 0; r < rows_; ++r)
#pragma GCC unroll 8
              for (int d = 0; d < depth; d += width) load<width>(from_a + r * n + d, &x[r][d]);
#pragma GCC unroll 8
            for (int d = 0; d < depth; ++d) {
              T y[groups * width];
#pragma GCC unroll 16
              for (int g = 0; g < groups; ++g) load<width>(from_b + d * n + g * apart, y + g * width);
#pragma GCC unroll 16
              for (int r = 0; r < rows_; ++r)
#pragma GCC unroll 16
                for (int q = 0; q < groups * width; ++q) sums[r][q] += x[r][d] * y[q];
            }
            from_a += depth;
            from_b += depth * n;
          }
          // Multiplies the remaining columns of A. If `depth` equals `width`, it divides n and none remain.
          if constexpr (depth > width)
            for (; k < n; ++k) {
#pragma GCC unroll 16
              for (int r = 0; r < rows_; ++r)
#pragma GCC unroll 16
                for (int g = 0; g < groups; ++g) sums[r][g] += from_a[r * n] * from_b[g * apart];
              ++from_a;
              from_b += n;
            }
#pragma GCC unroll 16
          for (int r = 0; r < rows_; ++r)
#pragma GCC unroll 16
            for (int g = 0; g < groups; ++g)
              store<width>(c + (i + r) * n + j + g * apart, &sums[r][g * width]);
        }
}

// Computes one element per thread, for any n.
template <typename T>
void multiply_small(int n, const T* a, const T* b, T* c) {
  const int count = n * n;
#pragma acc parallel loop gang vector collapse(2) present(a [0:count], b [0:count], c [0:count]) \
    vector_length(128)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      T sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

}  // namespace sextant::openacc

namespace sextant {
namespace {

namespace loop_nest {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 32;
};

template <typename T, int vector_length_>
void multiply(int n, const T* a, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma acc parallel loop present(a [0:count], b [0:count], c [0:count]) vector_length(vector_length_)
  for (int i = 0; i < n; ++i)
#pragma acc loop
    for (int j = 0; j < n; ++j) {
      T sum = 0;
#pragma acc loop reduction(+ : sum)
      for (int k = 0; k < n; ++k) sum += a[i * side + k] * b[k * side + j];
      c[i * side + j] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    multiply<T, V>(static_cast<int>(call.problem.extents.x), call.array<const T>(0), call.array<const T>(1),
                   call.array<T>(2));
  });
}

}  // namespace loop_nest

namespace register_block {

using Threads = Choices<64, 128>;
using Rows = Choices<4, 8, 16>;

struct Block {
  int vector_length = 64, rows_per_thread = 8;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T *a = call.array<const T>(0), *b = call.array<const T>(1);
  T* c = call.array<T>(2);
  const auto block = call.tuned<Block>();
  Threads::with(block.vector_length, [&]<int V>() {
    Rows::with(block.rows_per_thread, [&]<int R>() {
      constexpr int width = openacc::pack_width<T>;
      if (n < R || n < openacc::block_columns<2, width>)
        openacc::multiply_small(static_cast<int>(n), a, b, c);
      else if (n % width == 0)
        openacc::multiply_blocks<T, V, R, 2, width, width>(n, a, b, c);
      else  // Rows may start unaligned, so elements are accessed one by one.
        openacc::multiply_blocks<T, V, R, 4, 1, 4>(n, a, b, c);
    });
  });
}

// Sets the shape by measurements on an H200. Floats in packs have blocks of 64 x 128 elements. A
// multiprocessor holds four blocks with 16 rows per thread, or three with 8 rows. A round of four blocks
// takes 1.03 * 4 / 3 times as long. The faster shape thus depends on the number of rounds on the 132
// multiprocessors. Large blocks pay off only if there are many, and doubles in packs run short of registers.
void adapt(const Problem& problem, Block& block) {
  const bool single = problem.type == ElementType::float32;
  const std::int64_t n = problem.extents.x;
  const bool aligned = n % (single ? openacc::pack_width<float> : openacc::pack_width<double>) == 0;
  const bool large = n >= 1536;
  block.vector_length = large || !single ? 64 : 128;
  block.rows_per_thread = large && (single || !aligned) ? 16 : 8;
  if (large && single && aligned) {
    const std::int64_t blocks = (n + 63) / 64 * ((n + 127) / 128);
    const auto rounds = [&](int held) { return (blocks + 132 * held - 1) / (132 * held); };
    if (rounds(3) * 300 < rounds(4) * 412) block = {128, 8};
  }
}

}  // namespace register_block

namespace tile {

using TileSides = Choices<8, 16, 32>;

struct Tile {
  int tile = 8;
};

template <typename T, typename Index, int tile_>
void multiply(Index n, const T* a, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma acc parallel loop gang vector tile(tile_, tile_) present(a [0:count], b [0:count], c [0:count]) \
    vector_length(tile_* tile_)
  for (Index tile_i = 0; tile_i < n; ++tile_i)
    for (Index tile_j = 0; tile_j < n; ++tile_j) {
      Index i = tile_i, j = tile_j;
      openacc::carry(n, j, i);
      T sum = 0;
#pragma acc loop seq
      for (Index k = 0; k < n; ++k) sum += a[i * side + k] * b[k * side + j];
      c[i * side + j] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    TileSides::with(call.tuned<Tile>().tile, [&]<int side>() {
      multiply<T, Index, side>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                               call.array<const T>(1), call.array<T>(2));
    });
  });
}

}  // namespace tile

// As register_block, but operands are read from packed panels. A panel is a copy of the rows of A or the
// columns of B that a gang needs, ordered by k. For each k, a thread thus reads neighbouring packs without
// multiplications for addresses. Reads for the next k overlap with the arithmetic. Panels are padded with
// zeros, so the same code handles every n.
namespace panels {

using openacc::load_pack;
using openacc::pack_width;
using openacc::store_pack;
using Threads = Choices<64, 128>;

constexpr int columns_of_threads = 16;  // number of threads along a row of C
constexpr int rows = 8;                 // number of rows of C per thread
constexpr int groups = 2;               // number of 16-byte packs of columns per thread
constexpr int stages = 4,
              // Number of k values whose operands are in a thread's registers, and how many of them are still
              // being loaded.
    ahead = stages - 1;
// Panels hold a multiple of `stages` values of k, and padding for the values that are loaded ahead.

struct Block {
  int vector_length = 128;
};

// Number of rows of C that a gang computes.
template <int threads>
constexpr int block_rows = threads / columns_of_threads* rows;
template <typename T>
constexpr int block_columns = columns_of_threads* groups* pack_width<T>;

constexpr std::int64_t padded(std::int64_t n, std::int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

// Packs A: panels[p][k][r] is the element in row p * height + r and column k.
template <typename T, int height>
void pack_rows(std::int64_t n, std::int64_t depth, const T* a, T* panels) {
  const std::int64_t turns = depth / stages, count = padded(n, height) * turns;
#pragma acc parallel loop gang vector vector_length(128) deviceptr(a, panels)
  for (std::int64_t at = 0; at < count; ++at) {
    const std::int64_t r = at % height, k = at / height % turns * stages, panel = at / height / turns,
                       i = panel * height + r;
    T x[stages];
#pragma GCC unroll 4
    for (int e = 0; e < stages; ++e) x[e] = i < n && k + e < n ? a[i * n + k + e] : T(0);
#pragma GCC unroll 4
    for (int e = 0; e < stages; ++e) panels[(panel * depth + k + e) * height + r] = x[e];
  }
}

// Packs B: panels[p][k][c] is the element in row k and column p * columns + c.
template <typename T, int columns>
void pack_columns(std::int64_t n, std::int64_t depth, const T* b, T* panels) {
  constexpr int width = pack_width<T>, packs = columns / width;
  const std::int64_t count = padded(n, columns) / width * depth;
#pragma acc parallel loop gang vector vector_length(128) deviceptr(b, panels)
  for (std::int64_t at = 0; at < count; ++at) {
    const std::int64_t k = at / packs % depth, panel = at / packs / depth,
                       j = panel * columns + at % packs * width;
    T x[width];
#pragma GCC unroll 4
    for (int e = 0; e < width; ++e) x[e] = k < n && j + e < n ? b[k * n + j + e] : T(0);
    store_pack(panels + at * width, x);
  }
}

template <typename T, int threads>
void multiply(std::int64_t n, std::int64_t depth, const T* from_a, const T* from_b, T* c) {
  constexpr int width = pack_width<T>, thread_rows = threads / columns_of_threads,
                apart = columns_of_threads * width, columns = groups * width,
                rows_of_block = block_rows<threads>, columns_of_block = block_columns<T>;
  const int across = static_cast<int>((n + columns_of_block - 1) / columns_of_block);
  const int gangs = across * static_cast<int>((n + rows_of_block - 1) / rows_of_block);
#pragma acc parallel loop gang(static : 1) vector collapse(3) deviceptr(from_a, from_b, c) \
    vector_length(threads) num_gangs(gangs)
  for (int block = 0; block < gangs; ++block)
    for (int thread_i = 0; thread_i < thread_rows; ++thread_i)
      for (int thread_j = 0; thread_j < columns_of_threads; ++thread_j) {
        const int block_i = block / across, block_j = block % across;
        const T* a = from_a + block_i * depth * rows_of_block + thread_i * rows;
        const T* b = from_b + block_j * depth * columns_of_block + thread_j * width;
        T sums[rows][columns], x[stages][rows], y[stages][columns];
#pragma GCC unroll 16
        for (int r = 0; r < rows; ++r)
#pragma GCC unroll 16
          for (int q = 0; q < columns; ++q) sums[r][q] = 0;
#pragma GCC unroll 4
        for (int t = 0; t < ahead; ++t) {
#pragma GCC unroll 16
          for (int r = 0; r < rows; r += width) load_pack(a + t * rows_of_block + r, x[t] + r);
#pragma GCC unroll 16
          for (int g = 0; g < groups; ++g) load_pack(b + t * columns_of_block + g * apart, y[t] + g * width);
        }
#pragma acc loop seq
        for (std::int64_t k = 0; k < depth; k += stages) {
#pragma GCC unroll 8
          for (int t = 0; t < stages; ++t) {
            const int now = t, next = (t + ahead) % stages;
#pragma GCC unroll 16
            for (int r = 0; r < rows; r += width) load_pack(a + (t + ahead) * rows_of_block + r, x[next] + r);
#pragma GCC unroll 16
            for (int g = 0; g < groups; ++g)
              load_pack(b + (t + ahead) * columns_of_block + g * apart, y[next] + g * width);
#pragma GCC unroll 16
            for (int r = 0; r < rows; ++r)
#pragma GCC unroll 16
              for (int q = 0; q < columns; ++q) sums[r][q] += x[now][r] * y[now][q];
          }
          a += stages * rows_of_block;
          b += stages * columns_of_block;
        }
        const std::int64_t i = std::int64_t{block_i} * rows_of_block + thread_i * rows;
#pragma GCC unroll 16
        for (int r = 0; r < rows; ++r)
#pragma GCC unroll 16
          for (int g = 0; g < groups; ++g) {
            const std::int64_t j = std::int64_t{block_j} * columns_of_block + thread_j * width + g * apart;
            T* const to = c + (i + r) * n + j;
            if (i + r < n && n % width == 0 && j < n) {
              store_pack(to, sums[r] + g * width);
            } else if (i + r < n) {
#pragma GCC unroll 4
              for (int e = 0; e < width; ++e)
                if (j + e < n) to[e] = sums[r][g * width + e];
            }
          }
      }
}

// Sizes of the packed panels of A and of B in elements.
struct Room {
  std::int64_t depth, of_a, of_b;

  Room(const Problem& problem, const Block& block) : depth(padded(problem.extents.x, stages)) {
    const int width = 16 / static_cast<int>(element_size(problem.type));
    const std::int64_t n = problem.extents.x, length = depth + ahead;
    of_a = length * padded(n, block.vector_length / columns_of_threads * rows);
    of_b = length * padded(n, columns_of_threads * groups * width);
  }
};

template <typename T>
void launch(const Call& call) {
  const auto block = call.tuned<Block>();
  const std::int64_t n = call.problem.extents.x;
  const Room room(call.problem, block);
  T *const rows_of_a = static_cast<T*>(call.state), *const columns_of_b = rows_of_a + room.of_a;
  const T *const a = static_cast<const T*>(acc_deviceptr(call.address(0))), *const b = static_cast<const T*>(
                                                                                acc_deviceptr(
                                                                                    call.address(1)));
  T* const c = static_cast<T*>(acc_deviceptr(call.address(2)));
  pack_columns<T, block_columns<T>>(n, room.depth, b, columns_of_b);
  Threads::with(block.vector_length, [&]<int threads>() {
    pack_rows<T, block_rows<threads>>(n, room.depth, a, rows_of_a);
    multiply<T, threads>(n, room.depth, rows_of_a, columns_of_b, c);
  });
}

std::int64_t workspace(const Problem& problem, const Block& block) {
  const Room room(problem, block);
  return (room.of_a + room.of_b) * static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, call.tuned<Block>())));
  return *state ? nullptr : "no device memory for the panels";
}

}  // namespace panels

}  // namespace

Variant matmul_openacc_tile() {
  return {.description = "the study's form: tile(T,T), T*T threads, one dot product per thread",
          .memory_space = MemorySpace::openacc,
          .tunables = tunables<tile::Tile>({{"tile", &tile::Tile::tile, tile::TileSides::list()}}),
          .launch = SEXTANT_FLOAT_DOUBLE(tile::launch)};
}

Variant matmul_openacc_register_block() {
  Variant variant;
  variant.description = "each thread keeps a block of C in registers; 16-byte accesses if rows are aligned";
  variant.memory_space = MemorySpace::openacc;
  variant.tunables = tunables<register_block::Block>(
      {{"vector_length", &register_block::Block::vector_length, register_block::Threads::list()},
       {"rows_per_thread", &register_block::Block::rows_per_thread, register_block::Rows::list()}});
  variant.adapt = by_name<register_block::adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(register_block::launch);
  return variant;
}

std::vector<Variant> matmul_openacc() {
  return {
      {.name = "loop_nest",
       .description = "the study's earlier form: one loop directive per level",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<loop_nest::Gang>(
           {{"vector_length", &loop_nest::Gang::vector_length, loop_nest::VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(loop_nest::launch)},
      named("register_block", matmul_openacc_register_block()),
      named("tile", matmul_openacc_tile()),
      {.name = "panels",
       .description = "each thread keeps a block of C in registers; packed panels of A and B, loaded ahead",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<panels::Block>({
           {"vector_length", &panels::Block::vector_length, panels::Threads::list()},
       }),
       .launch = SEXTANT_FLOAT_DOUBLE(panels::launch),
       .prepare = panels::prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = by_name<panels::workspace>},
  };
}

}  // namespace sextant
