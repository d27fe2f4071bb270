#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 256;
};

// stride::Order for device code: which element is visited as the j-th.
template <typename T>
__global__ void elementwise(std::int64_t n, stride::Order order, const T* b, T* c) {
  const std::int64_t j = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j >= n) return;
  const bool longer = j < order.split;
  const std::int64_t length = longer ? order.shorter + 1 : order.shorter;
  const std::int64_t rest = longer ? j : j - order.split;
  const std::int64_t lane =
      n >> 32 == 0 ? static_cast<std::uint32_t>(rest) / static_cast<std::uint32_t>(length) : rest / length;
  const std::int64_t i = (longer ? lane : lane + order.longer) + (rest - lane * length) * order.stride;
  c[i] = b[i];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  elementwise<<<blocks_for(n, block), block, 0, stream_of(call)>>>(
      n, stride::Order(n, call.problem.parameters[0]), call.array<const T>(0), call.array<T>(1));
}

// What lost least on an H200 at the study's sizes.
void adapt(const Problem& problem, Block& block) {
  const auto stride = problem.parameters[0];
  const bool tiny = problem.n < 32'768;
  if (stride == 16) block.block_size = tiny ? 64 : 128;
  if (stride >= 64 && tiny) block.block_size = 128;
  if (stride >= 64 && problem.n >= 32'768 && problem.n < 524'288) block.block_size = 512;
}

}  // namespace

Variant stride_cuda_elementwise() {
  Variant variant;
  variant.description = "the study's form: thread j copies the j-th element of the order";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
