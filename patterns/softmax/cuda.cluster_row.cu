// Each cluster of blocks processes one row and keeps it in registers, so that memory is read and written
// once. Blocks combine their maxima and sums through distributed shared memory. Requires compute capability
// 9.0.
#include <cooperative_groups.h>

#include "row.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace {

using Clusters = Choices<2, 4, 8>;  // blocks per cluster; all GPUs with clusters support up to 8
using Blocks = Choices<256, 512, 1024>;
using Elements = Choices<4, 8, 16, 32>;  // elements of a row per thread
// maximum bytes of elements per thread: half the registers that a thread has in a block of 1024 threads
constexpr std::size_t most_bytes = 128;

struct Shape {
  int cluster = 8, block_size = 512, elements_per_thread = 8;
  std::int64_t capacity() const { return std::int64_t{cluster} * block_size * elements_per_thread; }
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// Reduces one value per block over the cluster by `operation`. All threads of the cluster must call it.
template <int cluster, typename Operation, typename T>
__device__ __forceinline__ T of_cluster(T value, Operation operation, T* shared) {
  const auto blocks = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) *shared = value;
  blocks.sync();
  T all = *blocks.map_shared_rank(shared, 0);
  #pragma unroll
  for (unsigned other = 1; other < cluster; ++other)
    all = operation(all, *blocks.map_shared_rank(shared, other));
  return all;
}
#endif

template <int cluster, int block, int elements, int width, typename T>
__global__ void __launch_bounds__(block) weigh(int columns, const T* __restrict__ x, T* __restrict__ y) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ T of_warps[2][block / 32], of_blocks[2];
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x / cluster) * columns;
  const int thread = static_cast<int>(blockIdx.x % cluster) * block + static_cast<int>(threadIdx.x);
  softmax::Part<cluster * block, elements, width, T> part;
  part.load(x + first, columns, thread);
  T most =
      softmax::of_block<block>(part.largest(), softmax::Largest(), softmax::least_number<T>, of_warps[0]);
  most = of_cluster<cluster>(most, softmax::Largest(), &of_blocks[0]);
  T sum = softmax::of_block<block>(part.take_powers(most), softmax::Sum(), T(0), of_warps[1]);
  sum = of_cluster<cluster>(sum, softmax::Sum(), &of_blocks[1]);
  part.store(y + first, columns, thread, 1 / sum);
  cooperative_groups::this_cluster().sync();  // no block may exit while others read its shared memory
#endif
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto columns = static_cast<int>(softmax::columns_of(call.problem));
  cudaLaunchAttribute clusters = {};
  clusters.id = cudaLaunchAttributeClusterDimension;
  clusters.val.clusterDim = {static_cast<unsigned>(shape.cluster), 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(softmax::rows_of(call.problem) * shape.cluster));
  config.blockDim = dim3(static_cast<unsigned>(shape.block_size));
  config.stream = stream_of(call);
  config.attrs = &clusters;
  config.numAttrs = 1;
  softmax::with_width<T>(call.problem, [&]<int width>() {
    Clusters::with(shape.cluster, [&]<int cluster>() {
      Blocks::with(shape.block_size, [&]<int block>() {
        Elements::with(shape.elements_per_thread, [&]<int elements>() {
          if constexpr (elements * sizeof(T) <= most_bytes)
            cudaLaunchKernelEx(&config, weigh<cluster, block, elements, width, T>, columns,
                               call.array<const T>(0), call.array<T>(1));
        });
      });
    });
  });
}

const char* unavailable() {
  return device_attribute(cudaDevAttrComputeCapabilityMajor, 0) < 9
             ? "thread block clusters need compute capability 9.0 or later"
             : nullptr;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (static_cast<std::size_t>(shape.elements_per_thread) * element_size(problem.type) > most_bytes)
    return "more than 128 bytes per thread: choose a smaller elements_per_thread";
  if (softmax::rows_of(problem) * shape.cluster > INT32_MAX)
    return "rows * cluster exceeds the number of blocks that a grid can have";
  return softmax::columns_of(problem) > shape.capacity()
             ? "a row has more than cluster * block_size * elements_per_thread elements"
             : nullptr;
}

// Chooses the fewest threads that hold the row with 8 elements each. If there are not enough threads, chooses
// more elements per thread.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t columns = softmax::columns_of(problem);
  for (shape.elements_per_thread = 8;; shape.elements_per_thread *= 2) {
    for (const int block : Blocks::list())
      for (const int cluster : Clusters::list()) {
        shape.block_size = block, shape.cluster = cluster;
        if (columns <= shape.capacity()) return;
      }
    if (2 * static_cast<std::size_t>(shape.elements_per_thread) * element_size(problem.type) > most_bytes)
      return;
  }
}

}  // namespace

std::vector<Variant> softmax_cuda_cluster_row() {
  return {
      {.name = "cluster_row",
       .description = "one row per cluster of blocks, in registers, read and written once; up to 2^18 floats "
                      "per row",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Shape>({{"cluster", &Shape::cluster, Clusters::list()},
                                    {"block_size", &Shape::block_size, Blocks::list()},
                                    {"elements_per_thread", &Shape::elements_per_thread, Elements::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(launch),
       .constraint = by_name<refuse>,
       .adapt = by_name<adapt>,
       .unavailable = unavailable}};
}

}  // namespace sextant
