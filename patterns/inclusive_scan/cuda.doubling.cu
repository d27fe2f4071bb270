// The textbook's form: log2(n) sweeps, each adding what lies 1, 2, 4, … elements before. n log2(n) additions, and all data
// moved as often.
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "sweeps.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void sweep(std::int64_t n, std::int64_t distance, const T* __restrict__ from, T* __restrict__ to) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = i < distance ? from[i] : from[i - distance] + from[i];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  inclusive_scan::for_sweeps(n, call.array<const T>(0), call.array<T>(1), static_cast<T*>(call.state),
                             [&](std::int64_t distance, const T* from, T* to) {
                               sweep<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, distance, from,
                                                                                          to);
                             });
}

std::int64_t workspace(const Problem& problem, const Block&) {
  return problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, {}))) == cudaSuccess) return nullptr;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the sums between sweeps";
}

}  // namespace

Variant inclusive_scan_cuda_doubling() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "log2(n) sweeps, each adding what lies 1, 2, 4, ... elements before";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
