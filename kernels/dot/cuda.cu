#include <cuda_runtime_api.h>

#include <algorithm>
#include <vector>

#include "../reduction/fused.cuh"
#include "../reduction/grid_steps.hpp"
#include "../reduction/part_sums.cuh"
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/cuda/vector.cuh"

// Computes the dot product in one launch, like the sum in ../reduction/fused.cuh.
namespace sextant::dot {

// Returns the sum of one thread's products. A pack is 16 bytes of an array. The thread processes every T-th
// pair of packs, where T is the number of threads of the grid, and keeps `unroll` pairs of loads in flight.
// Threads of the last block also add the products after the last whole pack.
template <typename T, int block, int unroll>
__device__ T thread_sum(std::int64_t n, const T* a, const T* b) {
  using Pack = reduction::Pack<T>;
  constexpr int size = Pack::size;
  const std::int64_t count = n / size, step = std::int64_t{gridDim.x} * block;
  const auto* a_packs = reinterpret_cast<const Pack*>(a);
  const auto* b_packs = reinterpret_cast<const Pack*>(b);
  T sum[size] = {};
  std::int64_t i = std::int64_t{blockIdx.x} * block + threadIdx.x;
  for (; i + (unroll - 1) * step < count; i += unroll * step) {
    Pack x[unroll], y[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      x[u] = a_packs[i + u * step];
      y[u] = b_packs[i + u * step];
    }
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int k = 0; k < size; ++k) sum[k] += x[u].at[k] * y[u].at[k];
  }
  Pack x[unroll] = {}, y[unroll] = {};
#pragma unroll
  for (int u = 0; u < unroll; ++u)
    if (i + u * step < count) {
      x[u] = a_packs[i + u * step];
      y[u] = b_packs[i + u * step];
    }
  const std::int64_t rest = count * size + threadIdx.x;
  T total = blockIdx.x + 1 == gridDim.x && rest < n ? a[rest] * b[rest] : T(0);
#pragma unroll
  for (int u = 0; u < unroll; ++u)
#pragma unroll
    for (int k = 0; k < size; ++k) sum[k] += x[u].at[k] * y[u].at[k];
#pragma unroll
  for (int k = 0; k < size; ++k) total += sum[k];
  return total;
}

// Stores the dot product in *sum. `boxes` has one word per block, a "box", for its partial sum. All boxes are
// empty before and after the launch.
template <typename T, int block, int unroll>
__global__ void __launch_bounds__(block)
    fused(std::int64_t n, const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ sum,
          reduction::Box<T>* boxes) {
  __shared__ T scratch[block / 32], last_scratch[block / 32];
  const T total = reduction::block_sum<block>(thread_sum<T, block, unroll>(n, a, b), scratch);
  reduction::add_blocks<block>(total, last_scratch, sum, boxes);
}

// Launches the dot product of n elements of a and b on `stream`. `boxes` must hold one empty box per block of
// the grid.
template <typename T, int block, int loads>
void launch_fused(std::int64_t n, const T* a, const T* b, T* sum, reduction::Box<T>* boxes, int blocks,
                  cudaStream_t stream) {
  fused<T, block, loads><<<blocks, block, 0, stream>>>(n, a, b, sum, boxes);
}

}  // namespace sextant::dot

// Launch parameters of `fused`: threads per block, 16-byte loads that a thread keeps in flight, and number of
// blocks.
namespace sextant::dot {

using Blocks = Choices<256, 512, 1024>;
using Loads = Choices<1, 2, 4>;

struct Grid {
  int block_size = 512;
  int loads_in_flight = 2;  // Packs (16 bytes) of each array that a thread keeps in flight.
  int blocks = 264;
};

inline std::vector<Tunable> grid_tunables() {
  return tunables<Grid>({{"block_size", &Grid::block_size, Blocks::list()},
                         {"loads_in_flight", &Grid::loads_in_flight, Loads::list()},
                         {"blocks", &Grid::blocks, {1, 66, 132, 264, 528, 1056, 4224, 8448}}});
}

// Sets default launch parameters by the bytes of both arrays. They are those of the sum (reduction/cuda.cu)
// with half as many loads in flight per array. They were fastest on an H200 (data/h200/reductions.txt).
inline void fit_grid(const Problem& problem, Grid& grid) {
  constexpr reduction::GridStep<Grid> steps[] = {{100'000, {512, 2, 1}},      {200'000, {1024, 2, 1}},
                                                 {600'000, {256, 2, 66}},     {20'000'000, {256, 2, 132}},
                                                 {30'000'000, {256, 2, 264}}, {1'000'000'000, {1024, 2, 264}},
                                                 {INT64_MAX, {1024, 2, 8448}}};
  const std::int64_t bytes = 2 * problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  grid = reduction::grid_for(bytes, steps);
}

}  // namespace sextant::dot

// The two input arrays on the host, page-locked so that the GPU can access them directly. They stay
// page-locked until the variant is released.
namespace sextant::dot {

struct PinnedInputs {
  const void* arrays[2] = {};

  // Page-locks both inputs of the call. Returns false, with neither locked, if the system refuses.
  bool pin(const Call& call) {
    const std::size_t bytes = call.problem.extents.x * element_size(call.problem.type);
    for (int i = 0; i < 2; ++i) {
      if (cudaHostRegister(call.address(i), bytes, cudaHostRegisterMapped) != cudaSuccess) {
        cudaGetLastError();  // Clears the error; a later check would report it.
        unpin();
        return false;
      }
      arrays[i] = call.address(i);
    }
    return true;
  }

  void unpin() {
    for (const void*& array : arrays) {
      if (array) cudaHostUnregister(const_cast<void*>(array));
      array = nullptr;
    }
  }
};

}  // namespace sextant::dot

// Computes the sum of one GPU's products, for the variants that divide the arrays among several GPUs
// (../reduction/part_sums.cuh).
namespace sextant::dot {

template <typename T, int block, int unroll>
__global__ void __launch_bounds__(block)
    fused_among(std::int64_t n, const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ sum,
                reduction::Box<T>* boxes, const __grid_constant__ reduction::Among among) {
  __shared__ T scratch[block / 32], last_scratch[block / 32];
  const T total = reduction::block_sum<block>(thread_sum<T, block, unroll>(n, a, b), scratch);
  reduction::add_blocks_and_parts<block>(total, last_scratch, sum, boxes, among);
}

struct PartProduct {
  static constexpr int inputs = 2;
  using Grid = dot::Grid;
  static constexpr auto tunables = grid_tunables;
  static constexpr auto fit = fit_grid;
  template <typename T>
  static auto kernel(const Grid& grid) {
    void (*chosen)(std::int64_t, const T*, const T*, T*, reduction::Box<T>*, reduction::Among) = nullptr;
    Blocks::with(grid.block_size, [&]<int block>() {
      Loads::with(grid.loads_in_flight, [&]<int loads>() { chosen = fused_among<T, block, loads>; });
    });
    return chosen;
  }
};

}  // namespace sextant::dot

namespace sextant {
namespace {

// The CUDA code of the talk "Introduction to OpenACC". As in the talk, the time includes all cudaMalloc and
// cudaFree calls. No other variant allocates in its launch. Copies use pageable memory. Each block adds its
// products in a shared-memory tree, and the host adds the blocks' sums.
namespace block_tree {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void dot_block_tree(std::int64_t n, const T* a, const T* b, T* sums) {
  extern __shared__ __align__(8) unsigned char shared_bytes[];
  T* partial = reinterpret_cast<T*>(shared_bytes);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? a[i] * b[i] : T(0);
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

// Holds the blocks' sums on the host. Its elements are double, which is also aligned for float.
using Sums = std::vector<double>;

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  const unsigned grid = blocks_for(n, block);
  const std::size_t bytes = n * sizeof(T);
  T *a = nullptr, *b = nullptr, *sums = nullptr;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&sums, grid * sizeof(T));
  cudaMemcpy(a, call.address(0), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, call.address(1), bytes, cudaMemcpyHostToDevice);
  dot_block_tree<T><<<grid, block, block * sizeof(T)>>>(n, a, b, sums);
  T* host_sums = reinterpret_cast<T*>(static_cast<Sums*>(call.state)->data());
  const cudaError_t status = cudaMemcpy(host_sums, sums, grid * sizeof(T), cudaMemcpyDeviceToHost);
  T sum = 0;
  for (unsigned i = 0; i < grid; ++i) sum += host_sums[i];
  // On failure the result keeps its initial invalid value.
  if (status == cudaSuccess) *call.array<T>(2) = sum;
  cudaFree(sums);
  cudaFree(b);
  cudaFree(a);
}

const char* prepare(const Call& call, void** state) {
  const std::size_t blocks = blocks_for(call.problem.extents.x, call.tuned<Block>().block_size);
  const std::size_t need = element_size(call.problem.type) * (2 * call.problem.extents.x + blocks);
  std::size_t available = 0, total = 0;
  if (cudaMemGetInfo(&available, &total) != cudaSuccess || need > available)
    return "not enough device memory for both arrays";
  *state = new Sums(blocks);
  return nullptr;
}

}  // namespace block_tree

// The time is that of reading both arrays. An H200 read 4545 GB/s of doubles in BabelStream's dot and 4592
// GB/s in a fill. At least 4450 GB/s are therefore expected from 2^28 elements on. At 2^24 doubles 60 µs are
// expected, including 2 to 3 µs for the launch and the wait for the last block.
namespace fused {

using dot::Grid;

template <typename T>
void launch(const Call& call) {
  const auto grid = call.tuned<Grid>();
  dot::Blocks::with(grid.block_size, [&]<int block>() {
    dot::Loads::with(grid.loads_in_flight, [&]<int loads>() {
      dot::launch_fused<T, block, loads>(
          call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
          static_cast<reduction::Box<T>*>(call.state), grid.blocks, stream_of(call));
    });
  });
}

// Returns the bytes of workspace for the blocks' partial sums.
std::int64_t workspace(const Problem&, const Grid& grid) {
  return grid.blocks * static_cast<std::int64_t>(sizeof(reduction::Box<double>));
}

const char* prepare(const Call& call, void** state) {
  const std::size_t bytes = workspace(call.problem, call.tuned<Grid>());
  if (cudaMalloc(state, bytes) == cudaSuccess &&
      cudaMemsetAsync(*state, 0, bytes, stream_of(call)) == cudaSuccess &&
      cudaStreamSynchronize(stream_of(call)) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // Clears the error; a later check would report it.
  return "no device memory for the blocks' partial sums";
}

}  // namespace fused

// Page-locked arrays are copied in chunks on two or more streams. The products of each chunk are added while
// the next chunk is copied, which hides all kernels but the last. Arrays are page-locked and device buffers
// allocated before the timed call, as in a program that owns its arrays (docs/explanation/kernels/dot.md).
//
// Expected for 2^24 doubles, 268 MB over PCI Express 5 at the 55 GB/s of one large pinned copy: 4.9 ms.
// Chunks of 8 MiB add about 1 % for the gaps between copies and the 4 µs kernels of the last 2 chunks.
namespace pinned_overlap {

struct Chunks {
  int chunk_mib = 8;
  int streams = 2;
};

struct State {
  dot::PinnedInputs inputs;
  int blocks = 0;  // Number of thread blocks of the kernel: two per multiprocessor.
  std::vector<cudaStream_t> streams;
  // Device memory with one chunk of a and one chunk of b for each stream.
  char* buffers = nullptr;
  // Device memory for the blocks' partial sums: for each stream one entry ("box") per block.
  char* boxes = nullptr;
  char* sums = nullptr;       // device memory, one sum per chunk
  char* host_sums = nullptr;  // page-locked copy of `sums`
};

std::int64_t chunk_bytes(const Call& call) { return std::int64_t{call.tuned<Chunks>().chunk_mib} << 20; }

std::int64_t chunks_of(const Call& call) {
  const std::int64_t bytes =
      call.problem.extents.x * static_cast<std::int64_t>(element_size(call.problem.type));
  return (bytes + chunk_bytes(call) - 1) / chunk_bytes(call);
}

// Returns the bytes that the kernels of one stream need for the blocks' partial sums.
std::size_t box_bytes(const State& state) { return state.blocks * sizeof(reduction::Box<double>); }

template <typename T>
void launch(const Call& call) {
  const State& state = *static_cast<const State*>(call.state);
  const std::int64_t n = call.problem.extents.x;
  const std::int64_t chunk = chunk_bytes(call) / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t chunks = chunks_of(call);
  T* sums = reinterpret_cast<T*>(state.sums);
  for (std::int64_t c = 0; c < chunks; ++c) {
    const std::size_t s = c % state.streams.size();
    const std::int64_t begin = c * chunk, count = std::min(chunk, n - begin);
    T* a = reinterpret_cast<T*>(state.buffers) + 2 * s * chunk;
    T* b = a + chunk;
    const cudaStream_t stream = state.streams[s];
    cudaMemcpyAsync(a, call.array<const T>(0) + begin, count * sizeof(T), cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(b, call.array<const T>(1) + begin, count * sizeof(T), cudaMemcpyHostToDevice, stream);
    auto* boxes = reinterpret_cast<reduction::Box<T>*>(state.boxes + s * box_bytes(state));
    dot::launch_fused<T, 512, 2>(count, a, b, sums + c, boxes, state.blocks, stream);
  }
  cudaError_t status = cudaSuccess;
  for (const cudaStream_t stream : state.streams)
    if (const cudaError_t ended = cudaStreamSynchronize(stream); ended != cudaSuccess) status = ended;
  if (status == cudaSuccess)
    status = cudaMemcpy(state.host_sums, sums, chunks * sizeof(T), cudaMemcpyDeviceToHost);
  if (status != cudaSuccess) return;  // The result then keeps its initial invalid value.
  const T* host_sums = reinterpret_cast<const T*>(state.host_sums);
  T sum = 0;
  for (std::int64_t c = 0; c < chunks; ++c) sum += host_sums[c];
  *call.array<T>(2) = sum;
}

void release(void* pointer) {
  auto* state = static_cast<State*>(pointer);
  state->inputs.unpin();
  for (const cudaStream_t stream : state->streams) cudaStreamDestroy(stream);
  cudaFree(state->buffers);
  cudaFree(state->boxes);
  cudaFree(state->sums);
  cudaFreeHost(state->host_sums);
  delete state;
}

int blocks_for_device() {
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  return 2 * multiprocessors;
}

bool make(const Call& call, State* state) {
  const std::size_t streams = call.tuned<Chunks>().streams, sums = chunks_of(call) * sizeof(double);
  state->blocks = blocks_for_device();
  const std::size_t boxes = streams * box_bytes(*state);
  for (std::size_t s = 0; s < streams; ++s) {
    state->streams.push_back(nullptr);
    if (cudaStreamCreateWithFlags(&state->streams.back(), cudaStreamNonBlocking) != cudaSuccess) {
      state->streams.pop_back();
      return false;
    }
  }
  return cudaMalloc(&state->buffers, 2 * streams * chunk_bytes(call)) == cudaSuccess &&
         cudaMalloc(&state->boxes, boxes) == cudaSuccess &&
         cudaMemset(state->boxes, 0, boxes) == cudaSuccess && cudaMalloc(&state->sums, sums) == cudaSuccess &&
         cudaMallocHost(&state->host_sums, sums) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
}

const char* prepare(const Call& call, void** pointer) {
  auto* state = new State;
  const char* problem = nullptr;
  if (!state->inputs.pin(call))
    problem = "the system cannot page-lock this much memory";
  else if (!make(call, state))
    problem = "no memory for the chunk buffers";
  if (problem) {
    cudaGetLastError();  // Clears the error; a later check would report it.
    release(state);
    return problem;
  }
  *pointer = state;
  return nullptr;
}

}  // namespace pinned_overlap

// The kernel reads the page-locked host arrays directly. It needs no device buffers and no copies, and moves
// the same bytes over the bus. This pays off because each element is read only once.
namespace zero_copy {

// The choices range from half a block to four blocks per multiprocessor of an H200, which has 132.
struct Grid {
  int blocks = 264;
};

struct State {
  dot::PinnedInputs inputs;
  void* boxes = nullptr;  // device memory, one box per block for its partial sum
  void* sum = nullptr;    // page-locked host memory for the result
};

template <typename T>
void launch(const Call& call) {
  const State& state = *static_cast<const State*>(call.state);
  const void* inputs[2];
  for (int i = 0; i < 2; ++i) {
    void* seen = nullptr;
    cudaHostGetDevicePointer(&seen, call.address(i), 0);
    inputs[i] = seen;
  }
  dot::launch_fused<T, 512, 4>(call.problem.extents.x, static_cast<const T*>(inputs[0]),
                               static_cast<const T*>(inputs[1]), static_cast<T*>(state.sum),
                               static_cast<reduction::Box<T>*>(state.boxes), call.tuned<Grid>().blocks,
                               nullptr);
  if (cudaStreamSynchronize(nullptr) == cudaSuccess) *call.array<T>(2) = *static_cast<const T*>(state.sum);
}

void release(void* pointer) {
  auto* state = static_cast<State*>(pointer);
  state->inputs.unpin();
  cudaFree(state->boxes);
  cudaFreeHost(state->sum);
  delete state;
}

const char* prepare(const Call& call, void** pointer) {
  auto* state = new State;
  const std::size_t boxes = call.tuned<Grid>().blocks * sizeof(reduction::Box<double>);
  const char* problem = nullptr;
  if (!state->inputs.pin(call))
    problem = "the system cannot page-lock this much memory";
  else if (cudaMalloc(&state->boxes, boxes) != cudaSuccess ||
           cudaMemset(state->boxes, 0, boxes) != cudaSuccess ||
           cudaMallocHost(&state->sum, sizeof(double)) != cudaSuccess)
    problem = "no memory for the blocks' partial sums";
  if (problem) {
    cudaGetLastError();  // Clears the error; a later check would report it.
    release(state);
    return problem;
  }
  *pointer = state;
  return nullptr;
}

}  // namespace zero_copy

}  // namespace

std::vector<Variant> dot_cuda() {
  return {
      {.name = "block_tree",
       .description =
           "the talk's form: allocation and copies per call, a tree per block, sums added on the host",
       .memory_space = MemorySpace::host,
       .tunables =
           tunables<block_tree::Block>({{"block_size", &block_tree::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(block_tree::launch),
       .prepare = block_tree::prepare,
       .release = [](void* state) { delete static_cast<block_tree::Sums*>(state); }},
      {.name = "fused",
       .description = "one launch: 16-byte loads, warp shuffles, partial sums sent to block 0",
       .memory_space = MemorySpace::cuda,
       .tunables = dot::grid_tunables(),
       .launch = SEXTANT_FLOAT_DOUBLE(fused::launch),
       .adapt = by_name<dot::fit_grid>,
       .prepare = fused::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<fused::workspace>},
      // As in cuda.peers, each GPU sums the products of its elements. NCCL's all-reduce then adds the GPUs'
      // sums.
      named("nccl",
            reduction::by_nccl<dot::PartProduct>(
                "one partition per GPU, summed as in `fused`; NCCL adds the GPUs' sums; one CUDA graph per "
                "GPU")),
      // The arrays are divided among the GPUs, and each GPU sums its elements as in `fused`. Block 0 of each
      // GPU stores the GPU's sum in the memory of all other GPUs and adds the sums that arrive. With 2^28
      // doubles per GPU in each array, the time is at least that of reading them plus one message of about 1
      // µs. Reading takes 1.00 ms at the 4.3 TB/s of a copy on an H200, or 0.94 ms at the 4.55 TB/s of
      // BabelStream's dot.
      named("peers",
            reduction::by_peers<dot::PartProduct>(
                "one partition per GPU, summed as in `fused`; GPUs store their sums in each other's memory")),
      {.name = "pinned_overlap",
       .description = "page-locked arrays copied in chunks; each chunk is summed while the next is copied",
       .memory_space = MemorySpace::host,
       .tunables = tunables<pinned_overlap::Chunks>(
           {{"chunk_mib", &pinned_overlap::Chunks::chunk_mib, {1, 2, 4, 8, 16, 32, 64}},
            {"streams", &pinned_overlap::Chunks::streams, {1, 2, 3, 4}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(pinned_overlap::launch),
       .prepare = pinned_overlap::prepare,
       .release = pinned_overlap::release},
      {.name = "zero_copy",
       .description = "one kernel reads page-locked host memory over the bus",
       .memory_space = MemorySpace::host,
       .tunables = tunables<zero_copy::Grid>({{"blocks", &zero_copy::Grid::blocks, {66, 132, 264, 528}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(zero_copy::launch),
       .prepare = zero_copy::prepare,
       .release = zero_copy::release},
  };
}

}  // namespace sextant
