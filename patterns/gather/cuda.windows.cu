// Places that lie within windows: a block brings a window of a to shared memory and picks there, so that memory is read and
// written in order.
#include "packs.cuh"
#include "places.hpp"

namespace sextant {
namespace {

using places::Hinted;
using Blocks = Choices<256, 512, 1024>;
constexpr int window = static_cast<int>(places::window);

struct Block {
  int block_size = 256;
};

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

}  // namespace

Variant gather_cuda_windows() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "near places: a block brings a window to shared memory and picks there";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, Blocks::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = places::refuse_random;
  return variant;
}

}  // namespace sextant
