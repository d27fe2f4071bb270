#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

namespace direct {

struct Block {
  int block_x = 64, block_y = 4;
};

template <typename T>
__global__ void direct(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const std::int64_t i = y * n + x;
  const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
  c[i] = border ? b[i] : static_cast<T>(0.25) * ((b[i - 1] + b[i + 1]) + (b[i - n] + b[i + n]));
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto tuned = call.tuned<Block>();
  const dim3 block(tuned.block_x, tuned.block_y);
  const dim3 grid(blocks_for(n, block.x), blocks_for(n, block.y));
  direct<<<grid, block, 0, stream_of(call)>>>(n, call.array<const T>(0), call.array<T>(1));
}

const char* constraint(const Problem& problem, const Block& block) {
  return refuse_block(problem.extents, block.block_x, block.block_y, 1);
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Block& block) {
  if (problem.n < 524'288)
    block.block_x = 256, block.block_y = 1;
  else
    block.block_x = 32, block.block_y = 8;
}

}  // namespace direct

namespace shared {

struct Block {
  int block_x = 32, block_y = 8;
};

template <typename T>
__global__ void shared(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  extern __shared__ __align__(16) unsigned char memory[];
  const int width = static_cast<int>(blockDim.x) + 2;
  // The tile's first point comes after the first row and column of shared memory, which are halo.
  T* const tile = reinterpret_cast<T*>(memory) + width + 1;
  const int u = static_cast<int>(threadIdx.x), v = static_cast<int>(threadIdx.y);
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + u;
  const std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + v;
  const bool inside = x < n && y < n;
  const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
  T* const own = tile + v * width + u;
  const std::int64_t i = y * n + x;
  if (inside) {
    own[0] = b[i];
    // A thread at the tile's edge also loads its neighbour outside the tile (the halo). Border points of the
    // grid need no neighbours.
    if (!border) {
      if (u == 0) own[-1] = b[i - 1];
      if (u == static_cast<int>(blockDim.x) - 1) own[1] = b[i + 1];
      if (v == 0) own[-width] = b[i - n];
      if (v == static_cast<int>(blockDim.y) - 1) own[width] = b[i + n];
    }
  }
  __syncthreads();
  if (inside)
    c[i] = border ? own[0] : static_cast<T>(0.25) * ((own[-1] + own[1]) + (own[-width] + own[width]));
}

std::size_t tile_bytes(const Block& block, ElementType type) {
  return static_cast<std::size_t>(block.block_x + 2) * (block.block_y + 2) * element_size(type);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto tuned = call.tuned<Block>();
  const dim3 block(tuned.block_x, tuned.block_y);
  const dim3 grid(blocks_for(n, block.x), blocks_for(n, block.y));
  shared<<<grid, block, tile_bytes(tuned, call.problem.type), stream_of(call)>>>(n, call.array<const T>(0),
                                                                                 call.array<T>(1));
}

const char* constraint(const Problem& problem, const Block& block) {
  return refuse_block(problem.extents, block.block_x, block.block_y, 1, tile_bytes(block, problem.type));
}

// Sets the default tuning. It was the fastest in most comparisons on an H200.
void adapt(const Problem& problem, Block& block) {
  if (problem.n >= (std::int64_t{4} << 20)) block.block_y = 4;
}

}  // namespace shared

namespace vector {

struct Block {
  int block_x = 32, block_y = 4;
};

template <typename T>
__device__ T mean(T left, T right, T up, T down) {
  return static_cast<T>(0.25) * ((left + right) + (up + down));
}

// This kernel requires that all rows start at addresses aligned for vectors. A thread computes one vector in
// each of two rows.
constexpr int rows = 2;

template <typename T>
__global__ void aligned(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  constexpr int length = vector_length<T>;
  const std::int64_t x = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * length;
  const std::int64_t top = (static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y) * rows;
  if (x >= n || top >= n) return;
  const std::int64_t before = x > 0 ? x - 1 : 0, after = x + length < n ? x + length : n - 1;
  // The vectors of the thread's rows, and of the rows above and below. Outside the grid the outermost row is
  // used instead.
  Vector<T, length> column[rows + 2];
  T left[rows], right[rows];
#pragma unroll
  for (int r = 0; r < rows + 2; ++r) {
    const T* const row = b + min(max(top + r - 1, std::int64_t{0}), n - 1) * n;
    column[r] = load<length>(row + x);
    if (r >= 1 && r <= rows) left[r - 1] = row[before], right[r - 1] = row[after];
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const std::int64_t y = top + r;
    if (y >= n) break;
    const Vector<T, length>& own = column[r + 1];
    Vector<T, length> result;
#pragma unroll
    for (int i = 0; i < length; ++i)
      result[i] = y == 0 || y == n - 1
                      ? own[i]
                      : mean(i > 0 ? own[i - 1] : left[r], i < length - 1 ? own[i + 1] : right[r],
                             column[r][i], column[r + 2][i]);
    if (x == 0) result[0] = own[0];
    if (x + length == n) result[length - 1] = own[length - 1];
    store_streaming(c + y * n + x, result);
  }
}

// This kernel allows rows that start unaligned. Vectors cover each row from the last aligned address at or
// before its start, one vector per thread. The rows above and below are shifted against these vectors by a
// constant number of elements.
template <typename T>
__global__ void staggered(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  constexpr int length = vector_length<T>;
  const std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  if (y >= n) return;
  const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t x = column_of_vector<length>(y, n, k);
  if (x >= n) return;
  const std::int64_t at = y * n + x;
  const int shift = static_cast<int>(n & (length - 1));
  const bool inner_row = y > 0 && y < n - 1;
  if (inner_row && x > 0 && x + length < n && at + n - shift + 2 * length <= n * n) {
    const Vector<T, length> own = load<length>(b + at);
    const Vector<T, length> up = load_shifted<length>(b + at - n, (length - shift) & (length - 1));
    const Vector<T, length> down = load_shifted<length>(b + at + n, shift);
    const T left = b[at - 1], right = b[at + length];
    Vector<T, length> result;
#pragma unroll
    for (int i = 0; i < length; ++i)
      result[i] = mean(i > 0 ? own[i - 1] : left, i < length - 1 ? own[i + 1] : right, up[i], down[i]);
    store_streaming(c + at, result);
    return;
  }
  // Handles vectors at the ends of a row or on the border, element by element.
  for (int i = 0; i < length; ++i) {
    if (x + i < 0 || x + i >= n) continue;
    const T* const p = b + at + i;
    c[at + i] = inner_row && x + i > 0 && x + i < n - 1 ? mean(p[-1], p[1], p[-n], p[n]) : p[0];
  }
}

template <typename T>
void launch(const Call& call) {
  constexpr int length = vector_length<T>;
  const std::int64_t n = call.problem.extents.x;
  const auto tuned = call.tuned<Block>();
  const dim3 block(tuned.block_x, tuned.block_y);
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  if (n % length == 0) {
    const dim3 grid(blocks_for(n, block.x * length), blocks_for(n, block.y * rows));
    aligned<<<grid, block, 0, stream_of(call)>>>(n, b, c);
  } else {
    const dim3 grid(blocks_for(n + length - 1, block.x * length), blocks_for(n, block.y));
    staggered<<<grid, block, 0, stream_of(call)>>>(n, b, c);
  }
}

const char* constraint(const Problem& problem, const Block& block) {
  return refuse_block(problem.extents, block.block_x, block.block_y, 1);
}

// Sets the default tuning. It was the fastest in most comparisons on an H200.
void adapt(const Problem& problem, Block& block) {
  if (problem.n >= 32'768 && problem.n < 524'288) block.block_y = 8;
}

}  // namespace vector

}  // namespace

std::vector<Variant> stencil2d_4pt_cuda() {
  return {
      {.name = "direct",
       .description = "one point per thread; neighbours read from global memory",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<direct::Block>({{"block_x", &direct::Block::block_x, {16, 32, 64, 128, 256}},
                                            {"block_y", &direct::Block::block_y, {1, 2, 4, 8, 16, 32}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(direct::launch),
       .constraint = by_name<direct::constraint>,
       .adapt = by_name<direct::adapt>},
      {.name = "shared",
       .description = "the study's form: tile and halo in shared memory, one point per thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<shared::Block>({{"block_x", &shared::Block::block_x, {4, 8, 16, 32, 64, 128}},
                                            {"block_y", &shared::Block::block_y, {1, 2, 4, 8, 16, 32, 64}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(shared::launch),
       .constraint = by_name<shared::constraint>,
       .adapt = by_name<shared::adapt>},
      {.name = "vector",
       .description = "16-byte accesses; two rows per thread if rows are aligned, else one",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<vector::Block>({{"block_x", &vector::Block::block_x, {16, 32, 64}},
                                            {"block_y", &vector::Block::block_y, {2, 4, 8, 16}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(vector::launch),
       .constraint = by_name<vector::constraint>,
       .adapt = by_name<vector::adapt>},
  };
}

}  // namespace sextant
