#include "../gather/packs.cuh"
#include "../gather/places.hpp"
#include "scatter.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 256;
};

namespace elementwise {

template <typename T>
__global__ void move(std::int64_t n, const std::int32_t* __restrict__ p, const T* __restrict__ a,
                     T* __restrict__ y) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[p[i]] = a[i];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  move<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<const std::int32_t>(0),
                                                            call.array<const T>(1), call.array<T>(2));
}

}  // namespace elementwise

// For indices that stay within windows of the array. A block scatters one window in shared memory, so that it
// reads and writes global memory in order.
namespace windows {

using places::Hinted;
using Blocks = Choices<256, 512, 1024>;
constexpr int window = static_cast<int>(places::window);

template <int block, typename T>
__global__ void __launch_bounds__(block) scatter_window(std::int64_t n, const std::int32_t* __restrict__ p,
                                                        const T* __restrict__ a, T* __restrict__ y) {
  constexpr int packs = window / (places::pack * block);
  __shared__ __align__(16) T stage[window];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * window;
  p += first, a += first, y += first;
  if (first + window <= n) {
    places::Four<std::int32_t> place[packs];
    places::Four<T> value[packs];
#pragma unroll
    for (int r = 0; r < packs; ++r) {
      place[r] = places::read_four<Hinted>(p + (r * block + thread) * places::pack);
      value[r] = places::read_four<Hinted>(a + (r * block + thread) * places::pack);
    }
#pragma unroll
    for (int r = 0; r < packs; ++r)
#pragma unroll
      for (int k = 0; k < places::pack; ++k)
        stage[static_cast<int>(place[r].values[k] - first)] = value[r].values[k];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < packs; ++r) {
      const int at = (r * block + thread) * places::pack;
      places::write_four<Hinted>(y + at, places::read_four<places::Plain>(stage + at));
    }
  } else {
    const int count = static_cast<int>(n - first);
    for (int i = thread; i < count; i += block) stage[static_cast<int>(p[i] - first)] = a[i];
    __syncthreads();
    for (int i = thread; i < count; i += block) y[i] = stage[i];
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  Blocks::with(call.tuned<Block>().block_size, [&]<int block>() {
    scatter_window<block><<<blocks_for(n, window), block, 0, stream_of(call)>>>(
        n, call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace windows

}  // namespace

std::vector<Variant> scatter_cuda() {
  return {
      {.name = "elementwise",
       .description = "one element per thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(elementwise::launch)},
      named("hints",
            scatter::variant<places::Hinted>(
                "like `unrolled`, with hints to evict the indices and elements from the caches first")),
      named("unrolled",
            scatter::variant<places::Plain>(
                "4 to 16 elements per thread in flight; indices and elements by 16-byte accesses")),
      {.name = "windows",
       .description = "for indices within windows: each block scatters one window in shared memory, then "
                      "writes it in order",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Block>({{"block_size", &Block::block_size, windows::Blocks::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(windows::launch),
       .constraint = places::refuse_random},
  };
}

}  // namespace sextant
