#include "packs.cuh"
#include "places.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

// y[i] = a[p[i]] for several groups (packs) of four elements per thread. A thread loads all indices, then all
// elements, before it writes the first result.
namespace sextant::gather {

template <typename How, int packs, typename T>
__global__ void pick_packs(std::int64_t n, const std::int32_t* __restrict__ p, const T* __restrict__ a,
                           T* __restrict__ y) {
  places::Four<std::int32_t> place[packs];
  places::Four<T> value[packs];
#pragma unroll
  for (int r = 0; r < packs; ++r) place[r] = places::read_part<How>(p, places::pack_begin(packs, r), n);
#pragma unroll
  for (int r = 0; r < packs; ++r)
#pragma unroll
    for (int k = 0; k < places::pack; ++k) value[r].values[k] = How::pick(a + place[r].values[k]);
#pragma unroll
  for (int r = 0; r < packs; ++r) {
    const std::int64_t i = places::pack_begin(packs, r);
    if (i + places::pack <= n) {
      places::write_four<How>(y + i, value[r]);
    } else {
#pragma unroll
      for (int k = 0; k < places::pack; ++k)
        if (i + k < n) y[i + k] = value[r].values[k];
    }
  }
}

template <typename How, typename T>
void launch_packs(const Call& call) {
  const auto shape = call.tuned<places::Shape>();
  const std::int64_t n = call.problem.extents.x;
  places::Packs::with(shape.vectors_per_thread, [&]<int packs>() {
    const unsigned blocks = blocks_for(n, std::int64_t{shape.block_size} * packs * places::pack);
    pick_packs<How, packs><<<blocks, shape.block_size, 0, stream_of(call)>>>(
        n, call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

template <typename How>
Variant variant(const char* description) {
  Variant variant = places::packs_variant(description);
  variant.launch = {.float32 = launch_packs<How, float>, .float64 = launch_packs<How, double>};
  return variant;
}

}  // namespace sextant::gather

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
  if (i < n) y[i] = a[p[i]];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  move<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<const std::int32_t>(0),
                                                            call.array<const T>(1), call.array<T>(2));
}

}  // namespace elementwise

// For indices within windows: a block loads a window of a into shared memory and gathers from there, so that
// global memory is read and written in order.
namespace windows {

using places::Hinted;
using Blocks = Choices<256, 512, 1024>;
constexpr int window = static_cast<int>(places::window);

template <int block, typename T>
__global__ void __launch_bounds__(block) gather_window(std::int64_t n, const std::int32_t* __restrict__ p,
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
      value[r] = places::read_four<Hinted>(a + (r * block + thread) * places::pack);
      place[r] = places::read_four<Hinted>(p + (r * block + thread) * places::pack);
    }
#pragma unroll
    for (int r = 0; r < packs; ++r)
      places::write_four<places::Plain>(stage + (r * block + thread) * places::pack, value[r]);
    __syncthreads();
#pragma unroll
    for (int r = 0; r < packs; ++r) {
#pragma unroll
      for (int k = 0; k < places::pack; ++k)
        value[r].values[k] = stage[static_cast<int>(place[r].values[k] - first)];
      places::write_four<Hinted>(y + (r * block + thread) * places::pack, value[r]);
    }
  } else {
    const int count = static_cast<int>(n - first);
    for (int i = thread; i < count; i += block) stage[i] = a[i];
    __syncthreads();
    for (int i = thread; i < count; i += block) y[i] = stage[static_cast<int>(p[i] - first)];
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  Blocks::with(call.tuned<Block>().block_size, [&]<int block>() {
    gather_window<block><<<blocks_for(n, window), block, 0, stream_of(call)>>>(
        n, call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace windows

}  // namespace

std::vector<Variant> gather_cuda() {
  return {
      {.name = "elementwise",
       .description = "one element per thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(elementwise::launch)},
      named(
          "hints",
          gather::variant<places::Hinted>(
              "as unrolled, but streamed data are evicted first and gathered elements bypass the L1 cache")),
      named("unrolled",
            gather::variant<places::Plain>(
                "4 to 16 elements in flight per thread, 16-byte accesses to indices and results")),
      {.name = "windows",
       .description =
           "only for gather_near: each block loads a window of a into shared memory and gathers from there",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Block>({{"block_size", &Block::block_size, windows::Blocks::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(windows::launch),
       .constraint = places::refuse_random},
  };
}

}  // namespace sextant
