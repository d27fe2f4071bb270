// Equal shares: a block has a stretch of the path through all elements and ends (path.cuh), and goes through it by tiles. The
// segment that a block leaves open ends with a later block; the last block to be done adds what the others left open,
// in their order.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "tile.cuh"

namespace sextant {
namespace {

using segmented::Place;
using Blocks = Choices<128, 256, 512>;
using Vectors = Choices<1, 2, 4>;

// The numbers of blocks suit the 132 multiprocessors of an H200.
struct Shape {
  int block_size = 256, vectors_per_thread = 4, blocks = 660;
};

// What blocks leave open: the sums, the segments that lack them, and how many blocks are done, 0 between launches.
template <typename T>
struct Opens {
  T* sums;
  std::int32_t* segments;
  unsigned* done;
};

// Where an end that a thread has finds its sum: in the tile's element before the place, or
enum : int { no_end = -2, empty_segment = -1, before_tile = 0 };

// Goes from `at` to `to`; returns what is open then.
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
    Tile::load(a, base, at.element, reach, packs);  // on its way before the offsets are known
    std::int64_t limit = reach;
    if (at.segment + Tile::most_ends <=
        to.segment)  // more ends than the threads take: the tile is the shorter
      limit = min(limit, static_cast<std::int64_t>(o[at.segment + Tile::most_ends]));
    if (limit < reach) Tile::cut(packs, limit - base);
    // A segment that needs no element of the tile ends before all others that do.
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
    __syncthreads();  // the tile before has been read
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

// y[segment] += the sums that blocks have left open of it.
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
    const bool last = segment != next;  // of those that the segment lacks
    const segmented::OpenSums<block, T> others(last ? T(0) : sum, last, totals);
    if (last && segment < m) y[segment] = __ldcg(&y[segment]) + others.before_with(carry) + sum;
    carry = others.all_with(carry);
    __syncthreads();  // the totals have been read
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
  if (thread < 64) {  // two warps: where the share begins, and where it ends
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
  __syncthreads();  // all of the block's results are written
  if (thread == 0) {
    opens.sums[blockIdx.x] = open;
    opens.segments[blockIdx.x] = static_cast<std::int32_t>(to.segment);
    __threadfence();
    is_last = atomicInc(opens.done, gridDim.x - 1) == gridDim.x - 1;  // which puts it back to 0
    __threadfence();
  }
  __syncthreads();
  if (is_last) add_open_sums<block>(m, y, opens, shared.totals);
}

// Sums, with room for doubles, segments and the count.
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

// Small tiles where large ones would leave multiprocessors without any.
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
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the sums that blocks leave open";
}

}  // namespace

std::vector<Variant> segmented_cuda_flat() {
  return {
      {.name = "flat",
       .description =
           "equal shares of elements and segments' ends a block, 16-byte accesses, sums by way of shared memory",
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
