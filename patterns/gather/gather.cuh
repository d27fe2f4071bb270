// y[i] = a[p[i]], some packs a thread: all places, then all elements are under way before the first is written.
#pragma once

#include "packs.cuh"

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
  places::Packs::with(shape.packs_per_thread, [&]<int packs>() {
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
