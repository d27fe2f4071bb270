#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 128;
};

template <typename T>
__global__ void solve(std::int64_t systems, std::int64_t length, const T* __restrict__ a,
                      const T* __restrict__ b, const T* __restrict__ c, const T* __restrict__ d,
                      T* __restrict__ gamma, T* __restrict__ x) {
  const std::int64_t s = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x, first = s * length;
  if (s < systems)
    tridiagonal::solve(length, a + first, b + first, c + first, d + first, gamma + first, x + first);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t systems = tridiagonal::systems_of(call.problem);
  const int block = call.tuned<Block>().block_size;
  solve<<<blocks_for(systems, block), block, 0, stream_of(call)>>>(
      systems, tridiagonal::length_of(call.problem), call.array<const T>(0), call.array<const T>(1),
      call.array<const T>(2), call.array<const T>(3), static_cast<T*>(call.state), call.array<T>(4));
}

std::int64_t workspace(const Problem& p, const int*) {
  return tridiagonal::systems_of(p) * tridiagonal::length_of(p) *
         static_cast<std::int64_t>(element_size(p.type));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, nullptr))) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for what elimination leaves";
}

}  // namespace

Variant tridiagonal_cuda_thread() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the plain loop, a system a thread";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = workspace;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
