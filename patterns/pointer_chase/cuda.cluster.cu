// The table over the shared memories of a cluster's blocks: a place there is the address of the one that comes next, whichever
// block has it. Compute capability 9.0 and later.
#include <cooperative_groups.h>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

constexpr int cluster = 8;  // blocks: what every GPU that has clusters takes
using Address = std::uint32_t;

struct Block {
  int block_size = 512;
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// Where byte `offset` of block `rank`'s share lies for all blocks of the cluster.
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

// Places, dealt out in `share`s to the blocks.
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
  blocks.sync();  // no block ends while others read its shared memory
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
             : "no block of this GPU has so much shared memory";
}

const char* unavailable() {
  return device_attribute(cudaDevAttrComputeCapabilityMajor, 0) < 9
             ? "clusters of blocks need compute capability 9.0 or later"
             : nullptr;
}

const char* refuse(const Problem& problem, const Block&) {
  const std::int64_t most =
      device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448);  // without a GPU, an H200's
  return (pointer_chase::places_of(problem) + cluster - 1) / cluster > most / 4
             ? "the table does not fit into the shared memory of 8 blocks"
             : nullptr;
}

}  // namespace

Variant pointer_chase_cuda_cluster() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the table over the shared memories of a cluster of 8 blocks";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, {256, 512, 1024}}});
  variant.constraint = by_name<refuse>;
  variant.unavailable = unavailable;
  variant.prepare = prepare;
  variant.release = [](void*) {};  // nothing but a limit was set
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
