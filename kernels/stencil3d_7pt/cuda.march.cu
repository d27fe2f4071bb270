#include "mean.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Columns {
  int block_x = 32, block_y = 8;  // columns of a block
  int planes = 8;                 // their height
};

// A thread owns `length` neighbouring columns along z and walks up `planes` planes of them, `step` at a time:
// it holds step + 2 planes in registers, so that each is read from the second-level cache once; rows above
// and below come out of the first-level cache, where the block's other threads brought them. All loads of a
// step are issued before its first sum. Addresses beyond the grid are replaced by ones within, whose values
// go unused.
template <int length, int step, typename T>
__global__ void march(std::int64_t n, int planes, const T* __restrict__ b, T* __restrict__ c) {
  using Row = Vector<T, length>;
  constexpr bool shuffle = length == 4;  // with fewer values in a vector the loads are cheaper
  const std::int64_t wanted_x = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * length;
  const std::int64_t wanted_y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  const bool outside = wanted_x >= n || wanted_y >= n;  // goes along, for the shuffles' sake
  const std::int64_t x = wanted_x < n ? wanted_x : n - length, y = wanted_y < n ? wanted_y : n - 1;
  const std::int64_t plane = n * n, first = static_cast<std::int64_t>(blockIdx.z) * planes;
  const std::int64_t end = min(first + planes, n);
  const std::int64_t up = y > 0 ? -n : 0, down = y < n - 1 ? n : 0;
  const int before = x > 0 ? -1 : 0, after = x + length < n ? length : length - 1;
  const int lane = static_cast<int>(threadIdx.x) & 31;  // block_x is a multiple of 32
  const T* from = b + first * plane + y * n + x;
  T* to = c + first * plane + y * n + x;
  Row column[step + 2];  // planes z-1 … z+step
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

// The widest vector that every row's start is aligned for.
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

// What won on an H200; small grids need shorter columns to give every multiprocessor work.
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

}  // namespace

Variant stencil3d_7pt_cuda_march() {
  Variant variant;
  variant.description = "columns of vectors walk along z with three or more planes in registers";
  variant.home = Home::cuda;
  variant.tunables = tunables<Columns>({{"block_x", &Columns::block_x, {32, 64, 128}},
                                        {"block_y", &Columns::block_y, {1, 2, 4, 8, 16}},
                                        {"planes", &Columns::planes, {2, 4, 8, 16, 32, 64}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  variant.adapt = by_name<adapt>;
  return variant;
}

}  // namespace sextant
