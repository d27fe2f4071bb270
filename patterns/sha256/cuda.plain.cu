#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 128;
};

__constant__ sha256::Constants constants = sha256::make_constants();

__global__ void digest_all(std::int64_t n, const std::uint32_t* __restrict__ message,
                           std::uint32_t* __restrict__ digest) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) sha256::digest_plain(message + i * sha256::words, constants.k, digest + i * sha256::words);
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  digest_all<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<const std::uint32_t>(0),
                                                                  call.array<std::uint32_t>(1));
}

}  // namespace

Variant sha256_cuda_plain() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: a message a thread, as the standard writes it";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, {32, 64, 128, 256, 512}}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
