#include <cstdint>

#include "suite/choices.hpp"
#include "suite/tunables.hpp"

// Computes y = A*x. A group of `lanes` threads computes `rows` neighbouring rows together, so that x is
// loaded once for all of them. The partial sums of a row are added by warp shuffles and, for more than one
// warp, in shared memory. Blocks exchange no partial sums. There is therefore one launch and a fixed order of
// additions.
namespace sextant::matvec {

template <typename T, int width>
struct alignas(width * sizeof(T)) Pack {
  T at[width];
};

// `width` is the number of elements per load: 16 bytes if every row starts on a 16-byte boundary, else one
// element. `unroll` is the number of loads of a row in flight. `block`, the number of threads per block, must
// be a multiple of `lanes`.
template <typename T, int width, int lanes, int rows, int unroll, int block>
__global__ void __launch_bounds__(block)
    rows_kernel(std::int64_t n, const T* __restrict__ a, const T* __restrict__ x, T* __restrict__ y) {
  using Load = Pack<T, width>;
  const int lane = threadIdx.x % lanes;
  const std::int64_t first_row =
      (static_cast<std::int64_t>(blockIdx.x) * (block / lanes) + threadIdx.x / lanes) * rows;
  const Load* vector = reinterpret_cast<const Load*>(x);
  const Load* row[rows];
#pragma unroll
  // Threads for rows beyond the end read the last row and store nothing.
  for (int r = 0; r < rows; ++r) row[r] = reinterpret_cast<const Load*>(a + min(first_row + r, n - 1) * n);
  T sum[rows] = {};
  const std::int64_t count = n / width;
  std::int64_t j = lane;
  for (; j + (unroll - 1) * lanes < count; j += unroll * lanes) {
    Load loaded[rows][unroll], factor[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int r = 0; r < rows; ++r) loaded[r][u] = row[r][j + u * lanes];
#pragma unroll
    for (int u = 0; u < unroll; ++u) factor[u] = vector[j + u * lanes];
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int k = 0; k < width; ++k) sum[r] += loaded[r][u].at[k] * factor[u].at[k];
  }
  Load loaded[rows][unroll] = {}, factor[unroll] = {};
#pragma unroll
  for (int u = 0; u < unroll; ++u)
    if (j + u * lanes < count) {
      factor[u] = vector[j + u * lanes];
#pragma unroll
      for (int r = 0; r < rows; ++r) loaded[r][u] = row[r][j + u * lanes];
    }
#pragma unroll
  for (int u = 0; u < unroll; ++u)
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) sum[r] += loaded[r][u].at[k] * factor[u].at[k];

#pragma unroll
  for (int r = 0; r < rows; ++r)
    for (int offset = 16; offset > 0; offset /= 2) sum[r] += __shfl_down_sync(~0u, sum[r], offset);
  if constexpr (lanes == 32) {
    if (lane == 0)
#pragma unroll
      for (int r = 0; r < rows; ++r)
        if (first_row + r < n) y[first_row + r] = sum[r];
  } else {
    __shared__ T partial[block / 32][rows];
    const int warp = threadIdx.x / 32;
    if (lane % 32 == 0)
#pragma unroll
      for (int r = 0; r < rows; ++r) partial[warp][r] = sum[r];
    __syncthreads();
    if (lane < rows && first_row + lane < n) {
      T total = 0;
#pragma unroll
      for (int w = 0; w < lanes / 32; ++w) total += partial[warp + w][lane];
      y[first_row + lane] = total;
    }
  }
}

}  // namespace sextant::matvec

namespace sextant {
namespace {

namespace rows {

using Lanes = Choices<32, 64, 128, 256>;
using Rows = Choices<1, 2, 4>;

struct Shape {
  int threads_per_row = 128;
  int rows = 4;  // number of neighbouring rows per group of threads
};

template <typename T, int width, int lanes, int rows>
void launch_rows(const Call& call) {
  constexpr int block = lanes < 128 ? 128 : lanes;
  constexpr int unroll = rows == 4 && lanes < 256 ? 2 : 4;
  constexpr int rows_per_block = block / lanes * rows;
  const std::int64_t n = call.problem.extents.x;
  const auto grid = static_cast<unsigned>((n + rows_per_block - 1) / rows_per_block);
  matvec::rows_kernel<T, width, lanes, rows, unroll, block>
      <<<grid, block, 0, static_cast<cudaStream_t>(call.stream)>>>(n, call.array<const T>(0),
                                                                   call.array<const T>(1), call.array<T>(2));
}

// Number of elements of a 16-byte load, which is used if every row starts on a 16-byte boundary.
template <typename T>
constexpr int pack = 16 / sizeof(T);

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  Lanes::with(shape.threads_per_row, [&]<int lanes>() {
    Rows::with(shape.rows, [&]<int rows>() {
      if (call.problem.extents.x % pack<T> == 0)
        launch_rows<T, pack<T>, lanes, rows>(call);
      else
        launch_rows<T, 1, lanes, rows>(call);
    });
  });
}

// Sets defaults found by measurements on an H200 (docs/explanation/kernels/reduction-and-matrix.md).
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t n = problem.extents.x;
  const bool is_float = problem.type == ElementType::float32;
  const bool aligned = n % (is_float ? pack<float> : pack<double>) == 0;
  if (n <= 128)
    shape = {32, 1};
  else if (aligned && n <= 700)
    shape = is_float ? Shape{32, 1} : Shape{128, 1};
  else if (aligned)
    shape = n <= 5000 ? Shape{128, 4} : Shape{256, 4};
  else if (is_float)
    shape = n <= 4500 ? Shape{64, 1} : n <= 10000 ? Shape{128, 1} : Shape{256, 1};
  else
    shape = n <= 10000 ? Shape{128, 2} : Shape{256, 2};
}

}  // namespace rows

namespace shared_atomic {

struct Block {
  int block_x = 64, block_y = 4;
};

// A block multiplies a rectangle of A, blockDim.y rows by blockDim.x columns, by its elements of x. It adds
// each row's products in a shared-memory tree and adds the sum to y atomically.
template <typename T>
__global__ void matvec_shared_atomic(std::int64_t n, const T* a, const T* x, T* y) {
  extern __shared__ __align__(8) unsigned char shared_bytes[];
  T* piece = reinterpret_cast<T*>(shared_bytes);  // the block's blockDim.x elements of x
  T* product = piece + blockDim.x * (1 + threadIdx.y);
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.y) * blockDim.x + threadIdx.x;
  if (threadIdx.y == 0) piece[threadIdx.x] = column < n ? x[column] : T(0);
  product[threadIdx.x] = row < n && column < n ? a[row * n + column] : T(0);
  __syncthreads();
  product[threadIdx.x] *= piece[threadIdx.x];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) product[threadIdx.x] += product[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0 && row < n) atomicAdd(&y[row], product[0]);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto tuned = call.tuned<Block>();
  const unsigned block_x = tuned.block_x, block_y = tuned.block_y;
  const auto stream = static_cast<cudaStream_t>(call.stream);
  const dim3 block(block_x, block_y);
  const dim3 grid(static_cast<unsigned>((n + block_y - 1) / block_y),
                  static_cast<unsigned>((n + block_x - 1) / block_x));
  cudaMemsetAsync(call.array<T>(2), 0, n * sizeof(T), stream);
  const std::size_t shared_bytes = block_x * (1 + block_y) * sizeof(T);
  matvec_shared_atomic<T><<<grid, block, shared_bytes, stream>>>(n, call.array<const T>(0),
                                                                 call.array<const T>(1), call.array<T>(2));
}

const char* constraint(const Problem& problem, const Block& block) {
  if (block.block_x * block.block_y > 1024) return "block_x * block_y must be at most 1024 threads";
  if ((problem.extents.x + block.block_x - 1) / block.block_x > 65535)
    return "more than 65535 blocks along y: increase block_x";
  return nullptr;
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Block& block) {
  const bool large = problem.n >= 524'288;
  if (large && problem.type == ElementType::float64)
    block = {32, 8};
  else if (large || problem.n < 32'768)
    block = {8, 32};
}

}  // namespace shared_atomic

}  // namespace

std::vector<Variant> matvec_cuda() {
  return {
      {.name = "rows",
       .description = "several threads per row; neighbouring rows share loads of x; partial sums by shuffles",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<rows::Shape>({{"threads_per_row", &rows::Shape::threads_per_row, rows::Lanes::list()},
                                  {"rows", &rows::Shape::rows, rows::Rows::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(rows::launch),
       .adapt = by_name<rows::adapt>},
      {.name = "shared_atomic",
       .description =
           "the study's form: sub-matrix and sub-vector in shared memory; partial row sums added atomically",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<shared_atomic::Block>(
           {{"block_x", &shared_atomic::Block::block_x, {8, 16, 32, 64, 128, 256, 512, 1024}},
            {"block_y", &shared_atomic::Block::block_y, {1, 2, 4, 8, 16, 32}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(shared_atomic::launch),
       .constraint = by_name<shared_atomic::constraint>,
       .adapt = by_name<shared_atomic::adapt>},
  };
}

}  // namespace sextant
