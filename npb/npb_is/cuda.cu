#include "gpu_state.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/warp.cuh"

// The published CUDA version with seven kernels per iteration. Each key is counted by one atomic addition in
// a single table. The running sum takes three passes: within tiles, over the tiles' totals, and an addition
// of these.
namespace sextant {
namespace {

using namespace npb_is;

struct Block {
  int block_size = 512;
};

struct State {
  DeviceMemory<std::int32_t> keys, tests;  // tests: the test keys of the current iteration
  DeviceMemory<std::uint32_t> sums;        // one sum per tile
};

__global__ void take_test_keys(int bits, int it, TestKeys at, std::int32_t* keys, std::int32_t* tests) {
  change_keys(bits, it, keys);
  __syncthreads();
  if (threadIdx.x < test_count) tests[threadIdx.x] = keys[at.index[threadIdx.x]];
}

__global__ void clear(std::int64_t values, std::uint32_t* counts) {
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v < values) counts[v] = 0;
}

__global__ void count_keys(std::int64_t n, const std::int32_t* keys, std::uint32_t* counts) {
  const std::int64_t j = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j < n) atomicAdd(&counts[keys[j]], 1u);
}

// Computes the running sum of each thread block's tile (Hillis and Steele 1986) and stores the tile's total.
__global__ void scan_tiles(std::int64_t values, std::uint32_t* counts, std::uint32_t* sums) {
  extern __shared__ std::uint32_t tile[];
  const unsigned thread = threadIdx.x;
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + thread;
  tile[thread] = v < values ? counts[v] : 0;
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    const std::uint32_t before = thread >= step ? tile[thread - step] : 0;
    __syncthreads();
    tile[thread] += before;
    __syncthreads();
  }
  if (v < values) counts[v] = tile[thread];
  if (thread == blockDim.x - 1) sums[blockIdx.x] = tile[thread];
}

// Replaces each tile's total by the sum of all earlier tiles. Launched with one thread block.
__global__ void scan_sums(std::int64_t tiles, std::uint32_t* sums) {
  extern __shared__ std::uint32_t tile[];
  const unsigned thread = threadIdx.x;
  std::uint32_t carried = 0;
  for (std::int64_t first = 0; first < tiles; first += blockDim.x) {
    const std::uint32_t own = first + thread < tiles ? sums[first + thread] : 0;
    tile[thread] = own;
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
      const std::uint32_t before = thread >= step ? tile[thread - step] : 0;
      __syncthreads();
      tile[thread] += before;
      __syncthreads();
    }
    if (first + thread < tiles) sums[first + thread] = carried + tile[thread] - own;
    carried += tile[blockDim.x - 1];
    __syncthreads();
  }
}

__global__ void add_sums(std::int64_t values, const std::uint32_t* sums, std::uint32_t* counts) {
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v < values) counts[v] += sums[blockIdx.x];
}

__global__ void take_ranks(const std::int32_t* tests, const std::uint32_t* counts, std::int32_t* ranks) {
  const std::int32_t key = tests[threadIdx.x];
  ranks[threadIdx.x] = key == 0 ? 0 : static_cast<std::int32_t>(counts[key - 1]);
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t n = key_count(call.problem), values = value_count(call.problem);
  const int block = call.tuned<Block>().block_size, bits = max_log2(call.problem);
  const unsigned tiles = blocks_for(values, block);
  const std::size_t shared = static_cast<std::size_t>(block) * sizeof(std::uint32_t);
  const cudaStream_t stream = stream_of(call);
  auto* c = call.array<std::uint32_t>(counts);
  for (int it = 1; it <= iterations; ++it) {
    call.phase("count");
    take_test_keys<<<1, 32, 0, stream>>>(bits, it, test_keys(call.problem), state.keys.data,
                                         state.tests.data);
    clear<<<tiles, block, 0, stream>>>(values, c);
    count_keys<<<blocks_for(n, block), block, 0, stream>>>(n, state.keys.data, c);
    call.phase("sum");
    scan_tiles<<<tiles, block, shared, stream>>>(values, c, state.sums.data);
    scan_sums<<<1, block, shared, stream>>>(tiles, state.sums.data);
    add_sums<<<tiles, block, 0, stream>>>(values, state.sums.data, c);
    take_ranks<<<1, test_count, 0, stream>>>(state.tests.data, c,
                                             call.array<std::int32_t>(ranks) + (it - 1) * test_count);
    call.phase("");
  }
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  const std::int64_t tiles = blocks_for(value_count(call.problem), call.tuned<Block>().block_size);
  if (!made->tests.allocate(test_count) || !made->sums.allocate(tiles)) return "device memory ran out";
  if (const char* why_not = make_keys(call, &made->keys)) return why_not;
  *state = made.release();
  return nullptr;
}

std::int64_t workspace(const Problem& problem, const Block& tuned) {
  return 4 * (key_count(problem) + test_count + blocks_for(value_count(problem), tuned.block_size));
}

}  // namespace

std::vector<Variant> npb_is_cuda() {
  return {{.name = "atomics",
           .description =
               "the published form: one atomic addition per key; running sums in three passes; seven kernels",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Block>({{"block_size", &Block::block_size, {128, 256, 512, 1024}}}),
           .launch = {.int32 = launch},
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
