// Merge-path load balancing. Each block gets an equal slice of the path through all elements and segment
// ends, and processes it tile by tile. A segment may continue in a later block. The last block to finish adds
// the partial sums of such segments, in order.
#include <cuda_runtime.h>

#include <cstdint>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

// A tile: consecutive elements of a block's slice of the path, and the segment ends among them.
//
// Threads load elements by coalesced 16-byte accesses. They pass them through shared memory, so that each
// thread adds up consecutive elements. A segmented scan replaces each element by the sum of its segment so
// far. At a segment end, this is the segment's sum.
//
// Segments may span several threads or blocks. The carry-out of a thread (`open` in the code) is the sum of
// its elements after its last segment end. It belongs to a segment that ends in a later thread.
namespace sextant::segmented {

// Segmented scan over a warp: adds up carry-outs from the last lane with a segment end to the calling lane.
// Bit l of `ends` is set if lane l has a segment end.
template <typename T>
__device__ __forceinline__ T warp_open_sum(T open, unsigned ends) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned upto = ends & (~0u >> (31 - lane));
  const unsigned reach = upto ? lane - (31u - static_cast<unsigned>(__clz(static_cast<int>(upto)))) : lane;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const T before = __shfl_up_sync(~0u, open, step);
    if (step <= reach) open += before;
  }
  return open;
}

// Shared memory for OpenSums. It may be reused after the block's next barrier.
template <int block, typename T>
struct OpenTotals {
  T sums[block / 32];
  int ends[block / 32];
};

// Segmented scan of carry-outs over a block. Each thread contributes its carry-out and whether it has a
// segment end.
template <int block, typename T>
struct OpenSums {
  T before, all;  // carry into the calling thread; carry-out of the block's last thread
  // whether a segment of the block ends before the calling thread; before the end of the block. If not, the
  // carry into the block must be added.
  bool ended_before, ended_all;

  __device__ __forceinline__ OpenSums(T open, bool ends, OpenTotals<block, T>& totals) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned ends_of_lanes = __ballot_sync(~0u, ends);
    const T upto = warp_open_sum(open, ends_of_lanes);
    if (lane == 31) totals.sums[warp] = upto, totals.ends[warp] = ends_of_lanes != 0 ? 1 : 0;
    __syncthreads();
    const bool there = lane < block / 32;
    const unsigned ends_of_warps = __ballot_sync(~0u, there && totals.ends[lane] != 0);
    const T upto_warp = warp_open_sum(there ? totals.sums[lane] : T(0), ends_of_warps);
    const T of_warps = __shfl_sync(~0u, upto_warp, warp > 0 ? static_cast<int>(warp) - 1 : 0);
    const T of_lanes = __shfl_up_sync(~0u, upto, 1);
    const bool ended_in_warp = (ends_of_lanes & ((1u << lane) - 1)) != 0;
    before = lane > 0 ? of_lanes : T(0);
    if (!ended_in_warp && warp > 0) before += of_warps;
    all = __shfl_sync(~0u, upto_warp, block / 32 - 1);
    ended_before = ended_in_warp || (ends_of_warps & ((1u << warp) - 1)) != 0;
    ended_all = ends_of_warps != 0;
  }

  // Return the carry into the calling thread and the carry-out of the block, if the carry into the block is
  // `carry`.
  __device__ __forceinline__ T before_with(T carry) const { return ended_before ? before : carry + before; }
  __device__ __forceinline__ T all_with(T carry) const { return ended_all ? all : carry + all; }
};

}  // namespace sextant::segmented

// The merge path visits all elements in order, and each segment end after the segment's last element. Equal
// slices of the path take equal work, whatever the lengths of segments.
namespace sextant::segmented {

// A position on the path: the index of the next element, and of the next segment to end.
struct Place {
  std::int64_t element, segment;
};

// Returns the position after `steps` steps of the path, in all lanes of the calling warp. o[j+1] elements and
// j segment ends precede the end of segment j. The search compares 32 candidates at a time.
__device__ inline Place place_after(std::int64_t steps, std::int64_t m, const std::int32_t* __restrict__ o) {
  std::int64_t low = 0, high = min(m, steps);
  while (low < high) {
    const std::int64_t step = (high - low) / 33 + 1, at = low + (threadIdx.x % 32 + 1) * step - 1;
    const bool behind = at < high && o[at + 1] + at < steps;
    const int count = __popc(__ballot_sync(~0u, behind));
    low += count * step;
    high = min(high, low + step - 1);
  }
  return {steps - low, low};
}

}  // namespace sextant::segmented

namespace sextant::segmented {

// tiles start at multiples of this number of elements, that is of 128 or 256 bytes
inline constexpr int aligned = 32;

template <int block, int vectors, typename T>
struct Tile {
  static constexpr int width = vector_length<T>;
  static constexpr int each = vectors * width;  // elements per thread
  static constexpr int size = block * each;
  // maximum number of segment ends per thread; enough if segments have 4 or more elements
  static constexpr int ends_each = each / 4 > 0 ? each / 4 : 1;
  static constexpr int most_ends = block * ends_each;

  using Pack = Vector<T, width>;
  using Marks = Vector<unsigned char, each>;

  struct Shared {
    Pack elements[block * vectors * 9 / 8];
    Marks marks[block];  // one mark per element: true if the element is the last of its segment
    OpenTotals<block, T> totals;
    // number of segment ends in a tile; one of the two counters is cleared while the other is used
    int ends[2];
    Place share[2];
  };

  // Index of vector v in shared memory. One gap after every eight vectors avoids bank conflicts, both for
  // coalesced accesses and for accesses to consecutive vectors by each thread.
  static __device__ __forceinline__ int slot(int v) { return v + v / 8; }
  static __device__ __forceinline__ T& element(Shared& shared, int i) {
    return shared.elements[slot(i / width)][i % width];
  }

  // Loads a tile that starts at element `base`. Elements outside begin … end - 1 are set to 0.
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

  // Sets the tile's elements with index `end` or higher to 0.
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

  // Segmented scan: replaces every element by the sum of its segment so far. `carry` is the carry into the
  // tile. Clears the marks. Returns the tile's carry-out. Contains one barrier.
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

namespace sextant {
namespace {

using segmented::Place;
using Blocks = Choices<128, 256, 512>;
using Vectors = Choices<1, 2, 4>;

// The choices for `blocks` are multiples of 132, the number of multiprocessors of an H200.
struct Shape {
  int block_size = 256, vectors_per_thread = 4, blocks = 660;
};

// The blocks' carry-outs, the segments that they belong to, and the number of blocks that have finished. That
// number is 0 between launches.
template <typename T>
struct Opens {
  T* sums;
  std::int32_t* segments;
  unsigned* done;
};

// Special values of places[e], which says where a thread finds the sum of its e-th segment. no_end: there is
// no such segment. before_tile: the sum is the carry into the tile. Any other value k > 0: the sum is in
// element k - 1 of the tile.
enum : int { no_end = -2, empty_segment = -1, before_tile = 0 };

// Processes the path from position `at` to position `to`. Returns the carry-out at its end.
template <int block, int vectors, typename T>
__device__ T sum_share(Place at, const Place& to, const std::int32_t* __restrict__ o, const T* __restrict__ a,
                       T* __restrict__ y, typename segmented::Tile<block, vectors, T>::Shared& shared) {
  using Tile = segmented::Tile<block, vectors, T>;
  const int thread = static_cast<int>(threadIdx.x);
  T carry = 0;
  for (int turn = 0; at.element < to.element || at.segment < to.segment; turn ^= 1) {
    const std::int64_t base = at.element / segmented::aligned * segmented::aligned;
    const std::int64_t reach = min(base + Tile::size, to.element);
    typename Tile::Pack packs[vectors];
    Tile::load(a, base, at.element, reach, packs);  // the loads proceed while the offsets are read
    std::int64_t limit = reach;
    if (at.segment + Tile::most_ends <=
        to.segment)  // shorten the tile if it has more segment ends than the threads can handle
      limit = min(limit, static_cast<std::int64_t>(o[at.segment + Tile::most_ends]));
    if (limit < reach) Tile::cut(packs, limit - base);
    // true if the next segment ends before the tile's first element, so that its sum is the carry
    const bool closed = at.segment < to.segment && o[at.segment + 1] == at.element;
    int places[Tile::ends_each];
#pragma unroll
    for (int e = 0; e < Tile::ends_each; ++e) {
      const std::int64_t j = at.segment + e * block + thread;
      places[e] = no_end;
      if (j >= to.segment) continue;
      const std::int64_t begin = o[j], end = o[j + 1];
      if (end <= limit)
        places[e] = begin == end        ? empty_segment
                    : end == at.element ? before_tile
                                        : static_cast<int>(end - base);
    }
    __syncthreads();  // all threads have finished reading the previous tile
    Tile::stage(shared, packs);
    auto* marks = reinterpret_cast<unsigned char*>(shared.marks);
    int ends = 0;
#pragma unroll
    for (int e = 0; e < Tile::ends_each; ++e) {
      if (places[e] > before_tile) marks[places[e] - 1] = 1;
      ends += __popc(__ballot_sync(~0u, places[e] != no_end));
    }
    if (thread % 32 == 0) atomicAdd(&shared.ends[turn], ends);
    __syncthreads();
    const int all_ends = shared.ends[turn];
    if (thread == 0) shared.ends[turn ^ 1] = 0;
    const T open = Tile::add_up(shared, closed ? T(0) : carry);
    __syncthreads();
#pragma unroll
    for (int e = 0; e < Tile::ends_each; ++e) {
      if (places[e] == no_end) continue;
      const T sum = places[e] > before_tile ? Tile::element(shared, places[e] - 1) : carry;
      y[at.segment + e * block + thread] = places[e] == empty_segment ? T(0) : sum;
    }
    carry = open;
    at = {limit, at.segment + all_ends};
  }
  return carry;
}

// Adds each block's carry-out to the segment that it belongs to.
template <int block, typename T>
__device__ void add_open_sums(std::int64_t m, T* y, const Opens<T>& opens,
                              segmented::OpenTotals<block, T>& totals) {
  const int blocks = static_cast<int>(gridDim.x);
  T carry = 0;
  for (int first = 0; first < blocks; first += block) {
    const int b = first + static_cast<int>(threadIdx.x);
    const std::int64_t segment = b < blocks ? __ldcg(&opens.segments[b]) : m;
    const std::int64_t next = b + 1 < blocks ? __ldcg(&opens.segments[b + 1]) : m;
    const T sum = b < blocks ? __ldcg(&opens.sums[b]) : T(0);
    const bool last = segment != next;  // whether this is the last block with a partial sum of the segment
    const segmented::OpenSums<block, T> others(last ? T(0) : sum, last, totals);
    if (last && segment < m) y[segment] = __ldcg(&y[segment]) + others.before_with(carry) + sum;
    carry = others.all_with(carry);
    __syncthreads();  // all threads have read the totals
  }
}

template <int block, int vectors, typename T>
__global__ void __launch_bounds__(block, 1280 / block)
    sum_segments(std::int64_t m, std::int64_t path, const std::int32_t* __restrict__ o,
                 const T* __restrict__ a, T* y, Opens<T> opens) {
  using Tile = segmented::Tile<block, vectors, T>;
  __shared__ typename Tile::Shared shared;
  __shared__ bool is_last;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < 64) {  // one warp finds the start of the block's slice, another its end
    const std::int64_t share = blockIdx.x + thread / 32;
    const Place place =
        segmented::place_after(path / gridDim.x * share + path % gridDim.x * share / gridDim.x, m, o);
    if (thread % 32 == 0) shared.share[thread / 32] = place;
  }
  shared.marks[thread] = {};
  if (thread < 2) shared.ends[thread] = 0;
  __syncthreads();
  const Place to = shared.share[1];
  const T open = sum_share<block, vectors, T>(shared.share[0], to, o, a, y, shared);
  __syncthreads();  // makes all results of the block visible before its carry-out
  if (thread == 0) {
    opens.sums[blockIdx.x] = open;
    opens.segments[blockIdx.x] = static_cast<std::int32_t>(to.segment);
    __threadfence();
    is_last =
        atomicInc(opens.done, gridDim.x - 1) == gridDim.x - 1;  // the last block resets the counter to 0
    __threadfence();
  }
  __syncthreads();
  if (is_last) add_open_sums<block>(m, y, opens, shared.totals);
}

// Size in bytes of the carry-outs (as double), the segment numbers, and the counter of finished blocks.
std::int64_t workspace(const Problem&, const Shape& shape) {
  return shape.blocks * static_cast<std::int64_t>(sizeof(double) + sizeof(std::int32_t)) +
         static_cast<std::int64_t>(sizeof(unsigned));
}

template <typename T>
Opens<T> opens_in(void* state, const Shape& shape) {
  auto* segments = reinterpret_cast<std::int32_t*>(static_cast<double*>(state) + shape.blocks);
  return {static_cast<T*>(state), segments, reinterpret_cast<unsigned*>(segments + shape.blocks)};
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t path = call.problem.extents.x + segmented::elements_of(call.problem);
  Blocks::with(shape.block_size, [&]<int block>() {
    Vectors::with(shape.vectors_per_thread, [&]<int vectors>() {
      const unsigned tiles = blocks_for(path, segmented::Tile<block, vectors, T>::size);
      const unsigned blocks = std::min(tiles, static_cast<unsigned>(shape.blocks));
      sum_segments<block, vectors, T><<<blocks, block, 0, stream_of(call)>>>(
          call.problem.extents.x, path, call.array<const std::int32_t>(0), call.array<const T>(1),
          call.array<T>(2), opens_in<T>(call.state, shape));
    });
  });
}

// Chooses small tiles for small problems, so that every multiprocessor has work.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t bytes =
      segmented::elements_of(problem) * static_cast<std::int64_t>(element_size(problem.type));
  if (bytes < 2 << 20)
    shape.block_size = 128, shape.vectors_per_thread = 2;
  else if (bytes < 8 << 20)
    shape.vectors_per_thread = 2;
}

const char* prepare(const Call& call, void** state) {
  const auto bytes = static_cast<std::size_t>(workspace(call.problem, call.tuned<Shape>()));
  if (cudaMalloc(state, bytes) == cudaSuccess && cudaMemset(*state, 0, bytes) == cudaSuccess &&
      cudaDeviceSynchronize() == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the partial sums of segments that span blocks";
}

}  // namespace

std::vector<Variant> segmented_cuda_flat() {
  return {{.name = "flat",
           .description =
               "merge path: equal numbers of elements plus segment ends per block; sums through shared "
               "memory",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                        {"vectors_per_thread", &Shape::vectors_per_thread, Vectors::list()},
                                        {"blocks", &Shape::blocks, {132, 264, 528, 660, 1320, 2640, 5280}}}),
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch),
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { cudaFree(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
