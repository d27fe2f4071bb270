#include "fused.cuh"
#include "grid_steps.hpp"
#include "loop.hpp"
#include "part_sums.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

// Launch parameters of `fused`: threads per block, 16-byte loads that a thread keeps in flight, and number of
// blocks.
namespace sextant::reduction {

using Blocks = Choices<128, 256, 512, 1024>;
using Loads = Choices<2, 4, 8>;

struct Grid {
  int block_size = 512, loads_in_flight = 4, blocks = 264;
};

inline std::vector<Tunable> grid_tunables() {
  return tunables<Grid>({{"block_size", &Grid::block_size, Blocks::list()},
                         {"loads_in_flight", &Grid::loads_in_flight, Loads::list()},
                         {"blocks", &Grid::blocks, {1, 66, 132, 264, 528, 1056, 4224, 8448}}});
}

// Default launch parameters by the bytes of the array, measured on an H200
// (docs/explanation/kernels/reduction-and-matrix.md). For the smallest arrays a single block is fastest,
// because exchanging partial sums would take longer. While the array fits in the cache, a few blocks with
// many loads each are fastest. For larger arrays, many blocks are fastest. The numbers suit the 132
// multiprocessors of an H200. On other GPUs they are starting points, because defaults are chosen before the
// device is known.
inline void fit_grid(const Problem& problem, Grid& grid) {
  constexpr GridStep<Grid> steps[] = {
      {50'000, {512, 8, 1}},        {100'000, {512, 4, 1}},       {1'000'000, {256, 4, 66}},
      {3'000'000, {256, 4, 132}},   {6'000'000, {512, 4, 264}},   {10'000'000, {256, 4, 132}},
      {30'000'000, {256, 4, 264}},  {50'000'000, {1024, 2, 264}}, {100'000'000, {512, 4, 264}},
      {500'000'000, {512, 4, 528}}, {INT64_MAX, {512, 4, 8448}}};
  const std::int64_t bytes = problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  grid = grid_for(bytes, steps);
}

}  // namespace sextant::reduction

// The sum of one GPU's elements, for the variants that divide the array among several GPUs (part_sums.cuh).
namespace sextant::reduction {

template <typename T, int block, int unroll>
__global__ void __launch_bounds__(block)
    fused_among(std::int64_t n, const T* __restrict__ a, T* __restrict__ sum, Box<T>* boxes,
                const __grid_constant__ Among among) {
  __shared__ T scratch[block / 32], last_scratch[block / 32];
  const T total = block_sum<block>(thread_sum<T, block, unroll>(n, a), scratch);
  add_blocks_and_parts<block>(total, last_scratch, sum, boxes, among);
}

struct PartSum {
  static constexpr int inputs = 1;
  using Grid = reduction::Grid;
  static constexpr auto tunables = grid_tunables;
  static constexpr auto fit = fit_grid;
  template <typename T>
  static auto kernel(const Grid& grid) {
    void (*chosen)(std::int64_t, const T*, T*, Box<T>*, Among) = nullptr;
    Blocks::with(grid.block_size, [&]<int block>() {
      Loads::with(grid.loads_in_flight, [&]<int loads>() { chosen = fused_among<T, block, loads>; });
    });
    return chosen;
  }
};

}  // namespace sextant::reduction

namespace sextant {
namespace {

namespace fused {

using reduction::Grid;

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto grid = call.tuned<Grid>();
  reduction::Blocks::with(grid.block_size, [&]<int block>() {
    reduction::Loads::with(grid.loads_in_flight, [&]<int loads>() {
      reduction::fused<T, block, loads><<<grid.blocks, block, 0, static_cast<cudaStream_t>(call.stream)>>>(
          n, call.array<const T>(0), call.array<T>(1), static_cast<reduction::Box<T>*>(call.state));
    });
  });
}

const char* prepare(const Call& call, void** state) {
  const std::size_t bytes = call.tuned<Grid>().blocks * sizeof(reduction::Box<double>);
  const auto stream = static_cast<cudaStream_t>(call.stream);
  if (cudaMalloc(state, bytes) == cudaSuccess && cudaMemsetAsync(*state, 0, bytes, stream) == cudaSuccess &&
      cudaStreamSynchronize(stream) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // Clears the error; a later check would report it.
  return "no device memory for the blocks' partial sums";
}

}  // namespace fused

namespace shared_tree {

struct Block {
  int block_size = 128;
};

template <typename T>
__global__ void reduction_shared_tree(std::int64_t n, const T* a, T* sum) {
  extern __shared__ __align__(8) unsigned char shared_bytes[];
  T* partial = reinterpret_cast<T*>(shared_bytes);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? a[i] : T(0);
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  const auto grid = static_cast<unsigned>((n + block - 1) / block);
  const auto stream = static_cast<cudaStream_t>(call.stream);
  cudaMemsetAsync(call.array<T>(1), 0, sizeof(T), stream);
  reduction_shared_tree<T>
      <<<grid, block, block * sizeof(T), stream>>>(n, call.array<const T>(0), call.array<T>(1));
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Block& block) {
  if (problem.n >= 32'768) block.block_size = 512;
}

}  // namespace shared_tree

}  // namespace

std::vector<Variant> reduction_cuda() {
  return {
      {.name = "fused",
       .description = "one launch: 16-byte loads, warp shuffles, partial sums sent to block 0; fixed order",
       .memory_space = MemorySpace::cuda,
       .tunables = reduction::grid_tunables(),
       .launch = SEXTANT_FLOAT_DOUBLE(fused::launch),
       .adapt = by_name<reduction::fit_grid>,
       .prepare = fused::prepare,
       .release = [](void* state) { cudaFree(state); }},
      // As in cuda.peers, each GPU sums its elements. NCCL's all-reduce then adds the GPUs' sums.
      named("nccl",
            reduction::by_nccl<reduction::PartSum>(
                "one partition per GPU, summed as in `fused`; NCCL adds the GPUs' sums; one CUDA graph per "
                "GPU")),
      // The array is divided among the GPUs, and each GPU sums its elements as in `fused`. Block 0 of each
      // GPU stores the GPU's sum in the memory of all other GPUs and adds the sums that arrive. With 2^28
      // doubles per GPU, the time is at least that of reading them, 0.50 ms at the 4.3 TB/s that an H200's
      // memory reaches. One message takes about 1 µs.
      named("peers",
            reduction::by_peers<reduction::PartSum>(
                "one partition per GPU, summed as in `fused`; GPUs store their sums in each other's memory")),
      {.name = "shared_tree",
       .description = "the study's form: a shared-memory tree per block; block sums added atomically",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<shared_tree::Block>(
           {{"block_size", &shared_tree::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(shared_tree::launch),
       .adapt = by_name<shared_tree::adapt>},
  };
}

}  // namespace sextant
