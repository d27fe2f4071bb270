// The textbook's form: a flag an element, their running sums by log2(n) sweeps, then every kept element to its place.
#include "../inclusive_scan/sweeps.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void flag(std::int64_t n, const T* __restrict__ a, std::int32_t* __restrict__ flags) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) flags[i] = a[i] >= 0 ? 1 : 0;
}

__global__ void sweep(std::int64_t n, std::int64_t distance, const std::int32_t* __restrict__ from,
                      std::int32_t* __restrict__ to) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = i < distance ? from[i] : from[i - distance] + from[i];
}

template <typename T>
__global__ void write(std::int64_t n, const T* __restrict__ a, const std::int32_t* __restrict__ sums,
                      T* __restrict__ y, std::int32_t* __restrict__ count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (a[i] >= 0) y[sums[i] - 1] = a[i];
  if (i == n - 1) *count = sums[i];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  const unsigned blocks = blocks_for(n, block);
  auto* flags = static_cast<std::int32_t*>(call.state);
  std::int32_t *sums = flags + n, *other = sums + n;
  flag<<<blocks, block, 0, stream_of(call)>>>(n, call.array<const T>(0), flags);
  inclusive_scan::for_sweeps(n, flags, sums, other,
                             [&](std::int64_t distance, const std::int32_t* from, std::int32_t* to) {
                               sweep<<<blocks, block, 0, stream_of(call)>>>(n, distance, from, to);
                             });
  write<<<blocks, block, 0, stream_of(call)>>>(n, call.array<const T>(0), sums, call.array<T>(1),
                                               call.array<std::int32_t>(2));
}

std::int64_t workspace(const Problem& problem, const Block&) {
  return 3 * problem.extents.x * static_cast<std::int64_t>(sizeof(std::int32_t));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, {}))) == cudaSuccess) return nullptr;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the flags and their sums";
}

}  // namespace

Variant compact_cuda_doubling() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "flags, their sums by log2(n) sweeps, then each kept element to its place";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
