#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

// Returns the mean of a point and its six face neighbours, added in the order of loop.hpp.
namespace sextant::stencil3d_7pt {

template <typename T>
__device__ __forceinline__ T mean(T left, T right, T up, T down, T front, T back, T own) {
  return static_cast<T>(1.0 / 7.0) * (((left + right) + (up + down)) + ((front + back) + own));
}

}  // namespace sextant::stencil3d_7pt

namespace sextant {
namespace {

namespace direct {

struct Block {
  int block_x = 8, block_y = 4, block_z = 8;
};

template <typename T>
__global__ void direct(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  const std::int64_t z = static_cast<std::int64_t>(blockIdx.z) * blockDim.z + threadIdx.z;
  if (x >= n || y >= n || z >= n) return;
  const std::int64_t plane = n * n, i = z * plane + y * n + x;
  const bool border = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
  c[i] = border
             ? b[i]
             : stencil3d_7pt::mean(b[i - 1], b[i + 1], b[i - n], b[i + n], b[i - plane], b[i + plane], b[i]);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto tuned = call.tuned<Block>();
  const dim3 block(tuned.block_x, tuned.block_y, tuned.block_z);
  const dim3 grid(blocks_for(n, block.x), blocks_for(n, block.y), blocks_for(n, block.z));
  direct<<<grid, block, 0, stream_of(call)>>>(n, call.array<const T>(0), call.array<T>(1));
}

const char* constraint(const Problem& problem, const Block& block) {
  return refuse_block(problem.extents, block.block_x, block.block_y, block.block_z);
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Block& block) {
  if (problem.n >= (std::int64_t{32} << 20))
    block.block_x = 32, block.block_y = 8, block.block_z = 1;
  else if (problem.n < 65'536)
    block.block_x = 32, block.block_y = 2, block.block_z = 2;
  else if (problem.type == ElementType::float64)
    block.block_x = 16, block.block_y = 8, block.block_z = 2;
}

}  // namespace direct

namespace march {

struct Columns {
  int block_x = 32, block_y = 8;  // Number of columns of a block along x and y.
  int planes = 8;                 // Number of planes in a column.
};

// A thread computes `length` neighbouring columns of `planes` planes, `step` planes at a time. It keeps `step
// + 2` planes in registers, so that each is read from the L2 cache once. Neighbouring rows come from the L1
// cache, into which other threads of the block loaded them. All loads of a step are issued before its first
// addition. Addresses outside the grid are replaced by ones inside, whose values are not used.
template <int length, int step, typename T>
__global__ void march(std::int64_t n, int planes, const T* __restrict__ b, T* __restrict__ c) {
  using Row = Vector<T, length>;
  // Vectors of four exchange their left and right neighbours by shuffles. For other lengths, loading the
  // neighbours is cheaper.
  constexpr bool shuffle = length == 4;
  const std::int64_t wanted_x = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * length;
  const std::int64_t wanted_y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  // A thread outside the grid stores nothing, but takes part in the shuffles.
  const bool outside = wanted_x >= n || wanted_y >= n;
  const std::int64_t x = wanted_x < n ? wanted_x : n - length, y = wanted_y < n ? wanted_y : n - 1;
  const std::int64_t plane = n * n, first = static_cast<std::int64_t>(blockIdx.z) * planes;
  const std::int64_t end = min(first + planes, n);
  const std::int64_t up = y > 0 ? -n : 0, down = y < n - 1 ? n : 0;
  const int before = x > 0 ? -1 : 0, after = x + length < n ? length : length - 1;
  const int lane = static_cast<int>(threadIdx.x) & 31;  // block_x is a multiple of 32.
  const T* from = b + first * plane + y * n + x;
  T* to = c + first * plane + y * n + x;
  Row column[step + 2];  // planes z-1 to z+step
  column[0] = load<length>(first > 0 ? from - plane : from);
  column[1] = load<length>(from);
  for (std::int64_t z = first; z < end; z += step, from += step * plane, to += step * plane) {
    Row above[step], below[step];
    T left[step], right[step];
#pragma unroll
    for (int k = 0; k < step; ++k) {
      const T* const own = z + k < n ? from + k * plane : from;
      column[k + 2] = load<length>(z + k + 1 < n ? from + (k + 1) * plane : from);
      above[k] = load<length>(own + up);
      below[k] = load<length>(own + down);
      if (!shuffle || lane == 0) left[k] = own[before];
      if (!shuffle || lane == 31) right[k] = own[after];
    }
#pragma unroll
    for (int k = 0; k < step; ++k) {
      const Row& own = column[k + 1];
      if constexpr (shuffle) {
        const T from_left = __shfl_up_sync(~0u, own[length - 1], 1),
                from_right = __shfl_down_sync(~0u, own[0], 1);
        if (lane != 0) left[k] = from_left;
        if (lane != 31) right[k] = from_right;
      }
      if (z + k >= end || outside) continue;
      const bool border = y == 0 || y == n - 1 || z + k == 0 || z + k == n - 1;
      Row result;
#pragma unroll
      for (int i = 0; i < length; ++i)
        result[i] =
            border ? own[i]
                   : stencil3d_7pt::mean(i > 0 ? own[i - 1] : left[k], i < length - 1 ? own[i + 1] : right[k],
                                         above[k][i], below[k][i], column[k][i], column[k + 2][i], own[i]);
      if (x == 0) result[0] = own[0];
      if (x + length == n) result[length - 1] = own[length - 1];
      store_streaming(to + k * plane, result);
    }
    column[0] = column[step];
    column[1] = column[step + 1];
  }
}

template <int length, int step, typename T>
void launch_march(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto columns = call.tuned<Columns>();
  const dim3 block(columns.block_x, columns.block_y);
  const dim3 grid(blocks_for(n, block.x * length), blocks_for(n, block.y), blocks_for(n, columns.planes));
  march<length, step>
      <<<grid, block, 0, stream_of(call)>>>(n, columns.planes, call.array<const T>(0), call.array<T>(1));
}

// Launches the kernel with the widest vector for which every row starts aligned.
template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  if (n % vector_length<T> == 0)
    launch_march<vector_length<T>, 2, T>(call);
  else if (n % 2 == 0)
    launch_march<2, 2, T>(call);
  else
    launch_march<1, 4, T>(call);
}

const char* constraint(const Problem& problem, const Columns& columns) {
  return refuse_block(problem.extents, columns.block_x, columns.block_y, 1);
}

// Sets the defaults that were fastest on an H200. Small grids need shorter columns to occupy every
// multiprocessor.
void adapt(const Problem& problem, Columns& columns) {
  const std::int64_t n = problem.extents.x;
  if (n <= 64)
    columns = {32, 4, 2};
  else if (n <= 128)
    columns = {64, 2, 4};
  else if (n % 2 == 1)
    columns = {64, 4, 16};
  else if (problem.type == ElementType::float64 && n > 256)
    columns = {64, 8, 64};
}

}  // namespace march

namespace shared {

struct Block {
  int block_x = 8, block_y = 8, block_z = 4;
};

template <typename T>
__global__ void shared(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  extern __shared__ __align__(16) unsigned char memory[];
  const int width = static_cast<int>(blockDim.x) + 2, sheet = width * (static_cast<int>(blockDim.y) + 2);
  // `tile` points at the tile's first point, which follows the halo.
  T* const tile = reinterpret_cast<T*>(memory) + sheet + width + 1;
  const int u = static_cast<int>(threadIdx.x), v = static_cast<int>(threadIdx.y),
            w = static_cast<int>(threadIdx.z);
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + u;
  const std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + v;
  const std::int64_t z = static_cast<std::int64_t>(blockIdx.z) * blockDim.z + w;
  const bool inside = x < n && y < n && z < n;
  const bool border = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
  T* const own = tile + w * sheet + v * width + u;
  const std::int64_t plane = n * n, i = z * plane + y * n + x;
  if (inside) {
    own[0] = b[i];
    // A thread at the tile's edge also loads its neighbour outside the tile (the halo). Border points of the
    // grid need no neighbours.
    if (!border) {
      if (u == 0) own[-1] = b[i - 1];
      if (u == static_cast<int>(blockDim.x) - 1) own[1] = b[i + 1];
      if (v == 0) own[-width] = b[i - n];
      if (v == static_cast<int>(blockDim.y) - 1) own[width] = b[i + n];
      if (w == 0) own[-sheet] = b[i - plane];
      if (w == static_cast<int>(blockDim.z) - 1) own[sheet] = b[i + plane];
    }
  }
  __syncthreads();
  if (inside)
    c[i] = border ? own[0]
                  : stencil3d_7pt::mean(own[-1], own[1], own[-width], own[width], own[-sheet], own[sheet],
                                        own[0]);
}

std::size_t tile_bytes(const Block& block, ElementType type) {
  return static_cast<std::size_t>(block.block_x + 2) * (block.block_y + 2) * (block.block_z + 2) *
         element_size(type);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto tuned = call.tuned<Block>();
  const dim3 block(tuned.block_x, tuned.block_y, tuned.block_z);
  const dim3 grid(blocks_for(n, block.x), blocks_for(n, block.y), blocks_for(n, block.z));
  shared<<<grid, block, tile_bytes(tuned, call.problem.type), stream_of(call)>>>(n, call.array<const T>(0),
                                                                                 call.array<T>(1));
}

const char* constraint(const Problem& problem, const Block& block) {
  return refuse_block(problem.extents, block.block_x, block.block_y, block.block_z,
                      tile_bytes(block, problem.type));
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Block& block) {
  if (problem.type == ElementType::float64) block.block_x = 16, block.block_y = 4, block.block_z = 2;
}

}  // namespace shared

}  // namespace

std::vector<Variant> stencil3d_7pt_cuda() {
  return {
      {.name = "direct",
       .description = "one point per thread; neighbours read from global memory",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<direct::Block>({{"block_x", &direct::Block::block_x, {8, 16, 32, 64, 128}},
                                            {"block_y", &direct::Block::block_y, {1, 2, 4, 8, 16}},
                                            {"block_z", &direct::Block::block_z, {1, 2, 4, 8}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(direct::launch),
       .constraint = by_name<direct::constraint>,
       .adapt = by_name<direct::adapt>},
      {.name = "march",
       .description = "vector columns march along z with three or more planes in registers",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<march::Columns>({{"block_x", &march::Columns::block_x, {32, 64, 128}},
                                             {"block_y", &march::Columns::block_y, {1, 2, 4, 8, 16}},
                                             {"planes", &march::Columns::planes, {2, 4, 8, 16, 32, 64}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(march::launch),
       .constraint = by_name<march::constraint>,
       .adapt = by_name<march::adapt>},
      {.name = "shared",
       .description = "the study's form: tile and halo in shared memory, one point per thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<shared::Block>({{"block_x", &shared::Block::block_x, {4, 8, 16, 32, 64, 128}},
                                            {"block_y", &shared::Block::block_y, {1, 2, 4, 8, 16, 32}},
                                            {"block_z", &shared::Block::block_z, {1, 2, 4, 8, 16, 32}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(shared::launch),
       .constraint = by_name<shared::constraint>,
       .adapt = by_name<shared::adapt>},
  };
}

}  // namespace sextant
