// A tile of the path: neighbouring elements of a block's share, and the ends among them. Elements come by 16-byte accesses
// that neighbours in a warp make side by side, and are passed in shared memory to the threads that add them up, some
// neighbours each; the sum up to each element goes back to its place there, where an end finds it.
#pragma once

#include "open_sums.cuh"
#include "path.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant::segmented {

inline constexpr int aligned = 32;  // tiles begin at multiples of so many elements, 128 or 256 bytes

template <int block, int vectors, typename T>
struct Tile {
  static constexpr int width = vector_length<T>;
  static constexpr int each = vectors * width;  // elements a thread
  static constexpr int size = block * each;
  static constexpr int ends_each = each / 4 > 0 ? each / 4 : 1;  // segments of 4 elements
  static constexpr int most_ends = block * ends_each;

  using Pack = Vector<T, width>;
  using Marks = Vector<unsigned char, each>;

  struct Shared {
    Pack elements[block * vectors * 9 / 8];
    Marks marks[block];  // of an element: whether it is a segment's last
    OpenTotals<block, T> totals;
    int ends[2];  // how many the tile has; by turns, so that one is cleared while the other counts
    Place share[2];
  };

  // Vector v's place among the elements: one in nine stays free, so that neither neighbours that access neighbouring vectors
  // nor those that access vectors a thread's share apart meet in a bank.
  static __device__ __forceinline__ int slot(int v) { return v + v / 8; }
  static __device__ __forceinline__ T& element(Shared& shared, int i) {
    return shared.elements[slot(i / width)][i % width];
  }

  // The elements from `base` on, those before `begin` and from `end` on as 0.
  static __device__ __forceinline__ void load(const T* __restrict__ a, std::int64_t base, std::int64_t begin,
                                              std::int64_t end, Pack (&packs)[vectors]) {
    const std::int64_t mine = base + static_cast<int>(threadIdx.x) * width;
    if (begin == base && end == base + size) {
#pragma unroll
      for (int r = 0; r < vectors; ++r) packs[r] = sextant::load<width>(a + mine + r * (block * width));
      return;
    }
#pragma unroll
    for (int r = 0; r < vectors; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const std::int64_t i = mine + r * (block * width) + k;
        packs[r][k] = i >= begin && i < end ? a[i] : T(0);
      }
  }

  // Elements from place `end` of the tile on become 0.
  static __device__ __forceinline__ void cut(Pack (&packs)[vectors], std::int64_t end) {
#pragma unroll
    for (int r = 0; r < vectors; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k)
        if ((r * block + static_cast<int>(threadIdx.x)) * width + k >= end) packs[r][k] = T(0);
  }

  static __device__ __forceinline__ void stage(Shared& shared, const Pack (&packs)[vectors]) {
#pragma unroll
    for (int r = 0; r < vectors; ++r)
      shared.elements[slot(r * block + static_cast<int>(threadIdx.x))] = packs[r];
  }

  // Every element becomes the sum of its segment up to it, where `carry` is open before the tile; marks are cleared. Returns
  // what is open behind it. Has one barrier.
  static __device__ __forceinline__ T add_up(Shared& shared, T carry) {
    const int thread = static_cast<int>(threadIdx.x);
    Pack packs[vectors];
#pragma unroll
    for (int r = 0; r < vectors; ++r) packs[r] = shared.elements[slot(thread * vectors + r)];
    const Marks marks = shared.marks[thread];
    shared.marks[thread] = Marks{};
    T open = 0;
    bool ends = false;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      open += packs[k / width][k % width];
      if (marks[k]) open = 0, ends = true;
    }
    const OpenSums<block, T> others(open, ends, shared.totals);
    T sum = others.before_with(carry);
#pragma unroll
    for (int k = 0; k < each; ++k) {
      sum += packs[k / width][k % width];
      packs[k / width][k % width] = sum;
      if (marks[k]) sum = 0;
    }
#pragma unroll
    for (int r = 0; r < vectors; ++r) shared.elements[slot(thread * vectors + r)] = packs[r];
    return others.all_with(carry);
  }
};

}  // namespace sextant::segmented
