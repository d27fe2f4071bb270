#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void price(std::int64_t n, const T* __restrict__ p, const T* __restrict__ k,
                      const T* __restrict__ t, T* __restrict__ calls, T* __restrict__ puts) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const blackscholes::Prices<T> prices = blackscholes::prices_by_library(p[i], k[i], t[i]);
  calls[i] = prices.call;
  puts[i] = prices.put;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  price<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<const T>(0),
                                                             call.array<const T>(1), call.array<const T>(2),
                                                             call.array<T>(3), call.array<T>(4));
}

}  // namespace

Variant blackscholes_cuda_plain() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: an option a thread, functions of the library";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, {32, 64, 128, 256, 512}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
