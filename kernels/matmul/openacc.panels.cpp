// C = A*B with a block of C in each thread's registers, as openacc_blocks.hpp has it, from panels: A's rows and B's columns that a gang needs,
// one k after another, so that a thread reads what it needs for a k by neighbouring packs, at addresses that no product is needed for; the
// next k's are under way meanwhile. Panels are filled up with zeros, so that any n goes the same way.
#include <openacc.h>

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using openacc::load_pack;
using openacc::pack_width;
using openacc::store_pack;
using Threads = Choices<64, 128>;

constexpr int columns_of_threads = 16;  // threads side by side along C's rows
constexpr int rows = 8;                 // of a thread
constexpr int groups = 2;               // packs of columns of a thread
constexpr int stages = 4,
              ahead = stages - 1;  // k's that a thread holds, and those of them that are under way
// Panels have a multiple of `stages` k's, and room behind them for those that are read ahead.

struct Block {
  int vector_length = 128;
};

// Rows and columns of C that a gang computes.
template <int threads>
constexpr int block_rows = threads / columns_of_threads* rows;
template <typename T>
constexpr int block_columns = columns_of_threads* groups* pack_width<T>;

constexpr std::int64_t padded(std::int64_t n, std::int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

// panels[p][k][r]: row p * height + r, column k of A.
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

// panels[p][k][c]: row k, column p * columns + c of B.
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

// Elements of the panels of A and of B.
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

}  // namespace

std::vector<Variant> matmul_openacc_panels() {
  return {{.name = "panels",
           .description =
               "a block of C in each thread's registers, from panels of A and B, the next k's under way",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Block>({
               {"vector_length", &Block::vector_length, Threads::list()},
           }),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .prepare = prepare,
           .release = [](void* state) { acc_free(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
