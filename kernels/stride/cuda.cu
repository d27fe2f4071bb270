#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/stream.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

namespace elementwise {

struct Block {
  int block_size = 256;
};

// Thread j copies the element that the kernel visits as number j (see Order).
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

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Block& block) {
  const auto stride = problem.parameters[0];
  const bool tiny = problem.n < 32'768;
  if (stride == 16) block.block_size = tiny ? 64 : 128;
  if (stride >= 64 && tiny) block.block_size = 128;
  if (stride >= 64 && problem.n >= 32'768 && problem.n < 524'288) block.block_size = 512;
}

}  // namespace elementwise

namespace lanes {

// A thread copies `lanes` neighbouring elements, and neighbouring threads of a block are one stride apart.
// Consecutive blocks copy the other elements of the same chunk of the array, so that a cache line is used
// completely while it is cached. In the kernel's order, each pass over the array fetches and writes every
// line again. The code needs no division, and a thread issues all loads before its first store. If a warp's
// elements lie in separate lines, the requests to the L2 cache limit the speed, one per stored element.
template <int lanes, typename T>
__global__ void walk(std::int64_t n, unsigned stride, unsigned groups, const T* __restrict__ b,
                     T* __restrict__ c) {
  const unsigned group = blockIdx.x % groups, stretch = blockIdx.x / groups;
  const std::int64_t first =
      (static_cast<std::int64_t>(stretch) * blockDim.x + threadIdx.x) * stride + group * lanes;
  T values[lanes];
#pragma unroll
  for (int lane = 0; lane < lanes; ++lane)
    if (first + lane < n) values[lane] = b[first + lane];
#pragma unroll
  for (int lane = 0; lane < lanes; ++lane)
    if (first + lane < n) c[first + lane] = values[lane];
}

using Lanes = Choices<1, 2, 4, 8>;

struct Stretch {
  int lanes = 4, block_size = 128;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, stride = call.problem.parameters[0];
  const auto stretch = call.tuned<Stretch>();
  const int block = stretch.block_size;
  Lanes::with(stretch.lanes, [&]<int lanes>() {
    const unsigned groups = static_cast<unsigned>(stride) / lanes;
    walk<lanes><<<blocks_for(n, block * stride) * groups, block, 0, stream_of(call)>>>(
        n, static_cast<unsigned>(stride), groups, call.array<const T>(0), call.array<T>(1));
  });
}

const char* constraint(const Problem& problem, const Stretch& stretch) {
  return problem.parameters[0] % stretch.lanes == 0 ? nullptr : "the stride must be a multiple of `lanes`";
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
// Blocks of one warp are usually best once the elements of a warp share few cache lines.
void adapt(const Problem& problem, Stretch& stretch) {
  const std::int64_t bytes = problem.parameters[0] * static_cast<std::int64_t>(element_size(problem.type));
  const bool small = problem.n < 524'288, tiny = problem.n < 32'768;
  if (problem.parameters[0] < 4) stretch.lanes = 2;
  if (bytes <= 16)
    stretch.block_size = bytes == 8 ? 256 : 128;
  else if (bytes == 32)
    stretch.block_size = tiny ? 64 : small ? 128 : 32;
  else if (bytes == 64)
    stretch = small && !tiny ? Stretch{8, 64} : Stretch{2, 32};
  else if (small)
    stretch = {2, 32};
  else
    stretch.block_size = bytes >= 256 ? 128 : 32;
}

Variant form() {
  Variant variant;
  variant.description = "neighbouring threads are one stride apart; each copies a few neighbouring elements";
  variant.memory_space = MemorySpace::cuda;
  // The variant copies neighbouring elements together, unlike the kernel's order. It is therefore excluded
  // from the ranking.
  variant.excluded_from_ranking = true;
  variant.tunables = tunables<Stretch>(
      {{"lanes", &Stretch::lanes, Lanes::list()}, {"block_size", &Stretch::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  variant.adapt = by_name<adapt>;
  return variant;
}

}  // namespace lanes

namespace reordered {

Variant form() {
  Variant variant = stream::vector_variant<stream::Copy>();
  variant.description =
      "for comparison: the same copy in memory order, neighbouring threads on neighbouring elements";
  variant.excluded_from_ranking = true;
  return variant;
}

}  // namespace reordered

}  // namespace

std::vector<Variant> stride_cuda() {
  return {
      {.name = "elementwise",
       .description = "the study's form: thread j copies the j-th element in the kernel's order",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<elementwise::Block>(
           {{"block_size", &elementwise::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(elementwise::launch),
       .adapt = by_name<elementwise::adapt>},
      named("lanes", lanes::form()),
      named("reordered", reordered::form()),
  };
}

}  // namespace sextant
