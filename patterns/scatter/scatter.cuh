// CUDA kernel for y[p[i]] = a[i]. Each thread processes several packs of four elements and loads all of them
// before its first store.
#pragma once

#include "../gather/packs.cuh"

namespace sextant::scatter {

template <typename How, int packs, typename T>
__global__ void put_packs(std::int64_t n, const std::int32_t* __restrict__ p, const T* __restrict__ a,
                          T* __restrict__ y) {
  places::Four<std::int32_t> place[packs];
  places::Four<T> value[packs];
#pragma unroll
  for (int r = 0; r < packs; ++r) {
    place[r] = places::read_part<How>(p, places::pack_begin(packs, r), n);
    value[r] = places::read_part<How>(a, places::pack_begin(packs, r), n);
  }
#pragma unroll
  for (int r = 0; r < packs; ++r)
#pragma unroll
    for (int k = 0; k < places::pack; ++k)
      if (places::pack_begin(packs, r) + k < n) y[place[r].values[k]] = value[r].values[k];
}

template <typename How, typename T>
void put(const Call& call, const places::Shape& shape, const std::int32_t* p, const T* a) {
  const std::int64_t n = call.problem.extents.x;
  places::Packs::with(shape.vectors_per_thread, [&]<int packs>() {
    const unsigned blocks = blocks_for(n, std::int64_t{shape.block_size} * packs * places::pack);
    put_packs<How, packs><<<blocks, shape.block_size, 0, stream_of(call)>>>(n, p, a, call.array<T>(2));
  });
}

template <typename How, typename T>
void launch_packs(const Call& call) {
  put<How>(call, call.tuned<places::Shape>(), call.array<const std::int32_t>(0), call.array<const T>(1));
}

template <typename How>
Variant variant(const char* description) {
  Variant variant = places::packs_variant(description);
  variant.launch = {.float32 = launch_packs<How, float>, .float64 = launch_packs<How, double>};
  return variant;
}

}  // namespace sextant::scatter
