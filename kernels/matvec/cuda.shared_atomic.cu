#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Block {
  int block_x = 64, block_y = 4;
};

// A block multiplies its blockDim.y rows by blockDim.x columns of A with its piece of x, adds each row's
// products in a shared-memory tree and the row's partial to y atomically.
template <typename T>
__global__ void matvec_shared_atomic(std::int64_t n, const T* a, const T* x, T* y) {
  extern __shared__ __align__(8) unsigned char shared_bytes[];
  T* piece = reinterpret_cast<T*>(shared_bytes);  // blockDim.x elements of x
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
  if (block.block_x * block.block_y > 1024) return "more than 1024 threads a block";
  if ((problem.extents.x + block.block_x - 1) / block.block_x > 65535) return "more than 65535 blocks in y";
  return nullptr;
}

// What lost least on an H200 at the study's sizes.
void adapt(const Problem& problem, Block& block) {
  const bool large = problem.n >= 524'288;
  if (large && problem.type == ElementType::float64)
    block = {32, 8};
  else if (large || problem.n < 32'768)
    block = {8, 32};
}

}  // namespace

Variant matvec_cuda_shared_atomic() {
  Variant variant;
  variant.description =
      "the study's form: sub-matrix and sub-vector in shared memory, partial rows added atomically";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"block_x", &Block::block_x, {8, 16, 32, 64, 128, 256, 512, 1024}},
                                      {"block_y", &Block::block_y, {1, 2, 4, 8, 16, 32}}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  return variant;
}

}  // namespace sextant
