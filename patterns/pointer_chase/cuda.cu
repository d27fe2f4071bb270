#include <cooperative_groups.h>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/vector.cuh"

// Helpers of the CUDA variants that read the table from global memory.
namespace sextant::pointer_chase {

// One thread walks `width` chains at once, so that their loads overlap: first, first + apart, first + 2
// apart, … . Chain numbers beyond the last chain repeat chain `first`.
template <int width>
__device__ __forceinline__ void walk_some(std::int64_t first, std::int64_t apart, std::int64_t chains,
                                          std::int64_t steps, const std::int32_t* __restrict__ next,
                                          const std::int32_t* __restrict__ start,
                                          std::int32_t* __restrict__ last) {
  std::int32_t at[width];
#pragma unroll
  for (int k = 0; k < width; ++k) at[k] = start[first + k * apart < chains ? first + k * apart : first];
#pragma unroll 8
  for (std::int64_t s = 0; s < steps; ++s)
#pragma unroll
    for (int k = 0; k < width; ++k) at[k] = next[at[k]];
#pragma unroll
  for (int k = 0; k < width; ++k)
    if (first + k * apart < chains) last[first + k * apart] = at[k];
}

// Each warp walks `lanes` neighbouring chains, one per lane. Its other lanes are idle.
template <int lanes>
__global__ void walk_lanes(std::int64_t chains, std::int64_t steps, const std::int32_t* __restrict__ next,
                           const std::int32_t* __restrict__ start, std::int32_t* __restrict__ last) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t c = thread / 32 * lanes + thread % 32;
  if (thread % 32 < lanes && c < chains) walk_some<1>(c, 0, chains, steps, next, start, last);
}

template <int lanes>
void launch_lanes(const Call& call, int block) {
  const std::int64_t chains = chains_of(call.problem);
  walk_lanes<lanes><<<blocks_for((chains + lanes - 1) / lanes * 32, block), block, 0, stream_of(call)>>>(
      chains, steps_of(call.problem), call.array<const std::int32_t>(0), call.array<const std::int32_t>(1),
      call.array<std::int32_t>(2));
}

}  // namespace sextant::pointer_chase

namespace sextant {
namespace {

// The table is distributed over the shared memory of a cluster's blocks (distributed shared memory). Each
// entry holds the cluster-wide address of the next entry. Requires compute capability 9.0.
namespace cluster {

constexpr int cluster = 8;  // blocks per cluster; all GPUs with clusters support 8
using Address = std::uint32_t;

struct Block {
  int block_size = 512;
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// Returns the cluster-wide address of byte `offset` in the part of the table that block `rank` holds.
__device__ __forceinline__ Address address_of(const std::uint32_t* own, unsigned rank, std::uint32_t offset) {
  const auto local = static_cast<Address>(__cvta_generic_to_shared(own)) + offset;
  Address address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(local), "r"(rank));
  return address;
}

__device__ __forceinline__ Address follow(Address at) {
  Address next;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(next) : "r"(at) : "memory");
  return next;
}

// The table, distributed over the blocks of a cluster. Each block holds `share` entries; this block's are at
// `own`.
struct Table {
  std::uint32_t* own;
  unsigned share;

  __device__ __forceinline__ Address address(std::int32_t place) const {
    const unsigned rank = static_cast<unsigned>(place) / share;
    return address_of(own, rank, (static_cast<unsigned>(place) - rank * share) * 4);
  }
  __device__ __forceinline__ std::int32_t place(Address at) const {
    unsigned rank = 0;
    while (rank < cluster - 1 && at - address_of(own, rank, 0) >= 4 * share) ++rank;
    return static_cast<std::int32_t>(rank * share + (at - address_of(own, rank, 0)) / 4);
  }
};
#endif

__global__ void chase(int places, unsigned share, std::int64_t chains, std::int64_t steps,
                      const std::int32_t* __restrict__ next, const std::int32_t* __restrict__ start,
                      std::int32_t* __restrict__ last) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  extern __shared__ std::uint32_t words[];
  const Table table = {words, share};
  const auto blocks = cooperative_groups::this_cluster();
  const unsigned rank = blocks.block_rank();
  const unsigned count = min(share, static_cast<unsigned>(max(0, places - static_cast<int>(rank * share))));
  #pragma unroll 8
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) words[i] = table.address(next[rank * share + i]);
  blocks.sync();
  const std::int64_t clusters = gridDim.x / cluster,
                     thread = static_cast<std::int64_t>(threadIdx.x) * cluster + rank;
  for (std::int64_t c = blockIdx.x / cluster + thread * clusters; c < chains;
       c += static_cast<std::int64_t>(blockDim.x) * gridDim.x) {
    Address at = table.address(start[c]);
  #pragma unroll 8
    for (std::int64_t s = 0; s < steps; ++s) at = follow(at);
    last[c] = table.place(at);
  }
  blocks.sync();  // no block may exit while other blocks read its shared memory
#endif
}

unsigned share_of(const Problem& problem) {
  return static_cast<unsigned>((pointer_chase::places_of(problem) + cluster - 1) / cluster);
}

void launch(const Call& call) {
  const std::int64_t chains = pointer_chase::chains_of(call.problem);
  const auto clusters =
      static_cast<unsigned>(std::clamp<std::int64_t>(multiprocessors() / cluster, 1, chains));
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(clusters * cluster);
  config.blockDim = dim3(static_cast<unsigned>(call.tuned<Block>().block_size));
  config.dynamicSmemBytes = std::size_t{4} * share_of(call.problem);
  config.stream = stream_of(call);
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, chase, static_cast<int>(pointer_chase::places_of(call.problem)),
                     share_of(call.problem), chains, pointer_chase::steps_of(call.problem),
                     call.array<const std::int32_t>(0), call.array<const std::int32_t>(1),
                     call.array<std::int32_t>(2));
}

const char* prepare(const Call& call, void**) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(chase),
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(4 * share_of(call.problem))) == cudaSuccess
             ? nullptr
             : "the table needs more shared memory than a block of this GPU can have";
}

const char* unavailable() {
  return device_attribute(cudaDevAttrComputeCapabilityMajor, 0) < 9
             ? "thread block clusters need compute capability 9.0 or later"
             : nullptr;
}

const char* refuse(const Problem& problem, const Block&) {
  // the second argument is the limit of an H200, used if there is no GPU
  const std::int64_t most = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448);
  return (pointer_chase::places_of(problem) + cluster - 1) / cluster > most / 4
             ? "the table does not fit in the shared memory of 8 blocks"
             : nullptr;
}

Variant form() {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = "the table distributed over the shared memories of a cluster of 8 blocks";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, {256, 512, 1024}}});
  variant.constraint = by_name<refuse>;
  variant.unavailable = unavailable;
  variant.prepare = prepare;
  variant.release = [](void*) {};  // prepare only sets a limit
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace cluster

namespace interleaved {

using Chains = Choices<2, 4, 8, 16>;

struct Shape {
  int block_size = 64, chains_per_thread = 2;
};

template <int width>
__global__ void chase(std::int64_t chains, std::int64_t steps, const std::int32_t* __restrict__ next,
                      const std::int32_t* __restrict__ start, std::int32_t* __restrict__ last) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t threads = (chains + width - 1) / width;
  if (thread < threads) pointer_chase::walk_some<width>(thread, threads, chains, steps, next, start, last);
}

void launch(const Call& call) {
  const std::int64_t chains = pointer_chase::chains_of(call.problem);
  const auto shape = call.tuned<Shape>();
  Chains::with(shape.chains_per_thread, [&]<int width>() {
    const unsigned blocks = blocks_for((chains + width - 1) / width, shape.block_size);
    chase<width><<<blocks, shape.block_size, 0, stream_of(call)>>>(
        chains, pointer_chase::steps_of(call.problem), call.array<const std::int32_t>(0),
        call.array<const std::int32_t>(1), call.array<std::int32_t>(2));
  });
}

}  // namespace interleaved

// Each block first copies the table to shared memory, so that a step needs no access to global memory.
// Entries are stored as byte offsets, or as 16-bit indices if byte offsets do not fit.
namespace shared {

using Threads = Choices<256, 512, 1024>;

struct Block {
  int block_size = 1024;
};

// Two formats of a table entry in shared memory: 32-bit byte offsets (Offsets) or 16-bit indices (Shorts).
// Offsets need no address arithmetic.
struct Offsets {
  using Word = std::uint32_t;
  static __device__ __forceinline__ Word of(std::int32_t place) {
    return static_cast<Word>(place) * static_cast<Word>(sizeof(Word));
  }
  static __device__ __forceinline__ Word follow(const unsigned char* table, Word at) {
    return *reinterpret_cast<const Word*>(table + at);
  }
  static __device__ __forceinline__ std::int32_t place(Word at) {
    return static_cast<std::int32_t>(at / static_cast<Word>(sizeof(Word)));
  }
};
struct Shorts {
  using Word = std::uint16_t;
  static __device__ __forceinline__ Word of(std::int32_t place) { return static_cast<Word>(place); }
  static __device__ __forceinline__ Word follow(const unsigned char* table, Word at) {
    return reinterpret_cast<const Word*>(table)[at];
  }
  static __device__ __forceinline__ std::int32_t place(Word at) { return at; }
};

template <typename How>
__device__ __forceinline__ void bring(int places, const std::int32_t* __restrict__ next,
                                      unsigned char* table) {
  auto* const words = reinterpret_cast<typename How::Word*>(table);
  const int vectors = places / 4, thread = static_cast<int>(threadIdx.x),
            threads = static_cast<int>(blockDim.x);
#pragma unroll 8
  for (int v = thread; v < vectors; v += threads) {
    const Vector<std::int32_t, 4> four = load<4>(next + 4 * v);
    Vector<typename How::Word, 4> converted;
#pragma unroll
    for (int k = 0; k < 4; ++k) converted[k] = How::of(four[k]);
    *reinterpret_cast<Vector<typename How::Word, 4>*>(words + 4 * v) = converted;
  }
  if (const int i = 4 * vectors + thread; i < places) words[i] = How::of(next[i]);
}

template <typename How>
__global__ void chase(int places, std::int64_t chains, std::int64_t steps,
                      const std::int32_t* __restrict__ next, const std::int32_t* __restrict__ start,
                      std::int32_t* __restrict__ last) {
  extern __shared__ __align__(16) unsigned char table[];
  bring<How>(places, next, table);
  __syncthreads();
  for (std::int64_t c = blockIdx.x + static_cast<std::int64_t>(threadIdx.x) * gridDim.x; c < chains;
       c += static_cast<std::int64_t>(blockDim.x) * gridDim.x) {
    typename How::Word at = How::of(start[c]);
#pragma unroll 8
    for (std::int64_t s = 0; s < steps; ++s) at = How::follow(table, at);
    last[c] = How::place(at);
  }
}

// Shared memory that a block may request, in bytes. Without a GPU, returns the limit of an H200.
std::int64_t most_bytes() { return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448); }

bool has_offsets(const Problem& problem) { return pointer_chase::places_of(problem) <= most_bytes() / 4; }

std::int64_t table_bytes(const Problem& problem) {
  return (has_offsets(problem) ? 4 : 2) * pointer_chase::places_of(problem);
}

template <typename How>
void launch_as(const Call& call) {
  const std::int64_t chains = pointer_chase::chains_of(call.problem);
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(chains, multiprocessors()));
  chase<How><<<blocks, call.tuned<Block>().block_size, static_cast<std::size_t>(table_bytes(call.problem)),
               stream_of(call)>>>(static_cast<int>(pointer_chase::places_of(call.problem)), chains,
                                  pointer_chase::steps_of(call.problem), call.array<const std::int32_t>(0),
                                  call.array<const std::int32_t>(1), call.array<std::int32_t>(2));
}

void launch(const Call& call) {
  has_offsets(call.problem) ? launch_as<Offsets>(call) : launch_as<Shorts>(call);
}

const char* prepare(const Call& call, void**) {
  const auto* kernel = has_offsets(call.problem) ? reinterpret_cast<const void*>(chase<Offsets>)
                                                 : reinterpret_cast<const void*>(chase<Shorts>);
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(table_bytes(call.problem))) == cudaSuccess
             ? nullptr
             : "the table needs more shared memory than a block of this GPU can have";
}

const char* refuse(const Problem& problem, const Block&) {
  const bool fits = has_offsets(problem) ||
                    (pointer_chase::places_of(problem) <= 65536 && table_bytes(problem) <= most_bytes());
  return fits ? nullptr : "the table does not fit in a block's shared memory";
}

Variant form() {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description =
      "a copy of the table in each block's shared memory; chains spread over all "
      "multiprocessors";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, Threads::list()}});
  variant.constraint = by_name<refuse>;
  variant.prepare = prepare;
  variant.release = [](void*) {};  // prepare only sets a limit
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace shared

// Each block has one warp with few chains, so that the loads of a multiprocessor do not queue behind each
// other.
namespace spread {

using Lanes = Choices<1, 2, 4, 8, 16>;

struct Warp {
  int chains_per_warp = 1;
};

void launch(const Call& call) {
  Lanes::with(call.tuned<Warp>().chains_per_warp,
              [&]<int lanes>() { pointer_chase::launch_lanes<lanes>(call, 32); });
}

// Chooses the fewest chains per warp for which all warps are resident at once. An H200 has 132
// multiprocessors with up to 32 such warps each.
void adapt(const Problem& problem, Warp& warp) {
  for (const int lanes : {1, 2, 4, 8, 16}) {
    warp.chains_per_warp = lanes;
    if (pointer_chase::chains_of(problem) <= std::int64_t{132} * 32 * lanes) return;
  }
}

}  // namespace spread

namespace thread {

struct Block {
  int block_size = 64;
};

void launch(const Call& call) { pointer_chase::launch_lanes<32>(call, call.tuned<Block>().block_size); }

}  // namespace thread

}  // namespace

std::vector<Variant> pointer_chase_cuda() {
  return {
      named("cluster", cluster::form()),
      {.name = "interleaved",
       .description = "several chains per thread, with their loads in flight together",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<interleaved::Shape>(
           {{"block_size", &interleaved::Shape::block_size, BlockSizes::list()},
            {"chains_per_thread", &interleaved::Shape::chains_per_thread, interleaved::Chains::list()}}),
       .launch = {.int32 = interleaved::launch}},
      named("shared", shared::form()),
      {.name = "spread",
       .description = "few chains per warp and one warp per block, spread over all multiprocessors",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<spread::Warp>(
           {{"chains_per_warp", &spread::Warp::chains_per_warp, spread::Lanes::list()}}),
       .launch = {.int32 = spread::launch},
       .adapt = by_name<spread::adapt>},
      {.name = "thread",
       .description = "the plain form: one chain per thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<thread::Block>({{"block_size", &thread::Block::block_size, BlockSizes::list()}}),
       .launch = {.int32 = thread::launch}},
  };
}

}  // namespace sextant
