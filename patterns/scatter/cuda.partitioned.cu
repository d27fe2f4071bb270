// Two-pass scatter for arrays larger than the caches. The first pass sorts elements by destination into
// ranges of y, called pieces. The order within a piece is arbitrary. The second pass scatters each piece in
// shared memory, or in the L2 cache if it is too large. So y is written in whole sectors. The indices are a
// permutation, so a piece has exactly as many elements as its range of y.
#include "../gather/places.hpp"
#include "scatter.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant {
namespace {

using Bits = Choices<12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22>;
using places::Hinted;

constexpr int block = 512;     // threads per block of `split`
constexpr int packs_each = 4;  // packs of four elements per thread of `split`
constexpr int tile = block * packs_each * places::pack;
constexpr int put_block = 1024;  // threads per block of `fill_pieces`
constexpr int under_way = 4;     // elements that a thread loads before it stores them
constexpr std::int64_t most_shared = 128
                                     << 10;  // size in bytes of the largest piece scattered in shared memory
// with up to this many pieces, the tile and the tables of `split` fit in a block's shared memory
constexpr std::int64_t most_pieces = 1 << 12;
// with up to this many pieces, a tile has at least 16 elements per piece on average
constexpr std::int64_t few_pieces = 1 << 9;

struct Shape {
  int partition_bits = 18;
};

std::int64_t pieces_of(const Problem& problem, const Shape& shape) {
  return (problem.extents.x + (std::int64_t{1} << shape.partition_bits) - 1) >> shape.partition_bits;
}
std::int64_t size_of(const Problem& problem) { return static_cast<std::int64_t>(element_size(problem.type)); }
std::int64_t piece_bytes(const Problem& problem, const Shape& shape) {
  return size_of(problem) << shape.partition_bits;
}
bool fits_shared(const Problem& problem, const Shape& shape) {
  return piece_bytes(problem, shape) <= most_shared;
}

// Arrays in device memory: the elements sorted by piece, their destination indices, and the number of
// elements that have been moved to each piece.
template <typename T>
struct Workspace {
  T* elements;
  std::int32_t *places, *counts;
};

std::int64_t padded(std::int64_t bytes) { return (bytes + 15) / 16 * 16; }

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return padded(problem.extents.x * size_of(problem)) + padded(problem.extents.x * 4) +
         pieces_of(problem, shape) * 4;
}

template <typename T>
Workspace<T> workspace_in(void* state, const Problem& problem) {
  auto* bytes = static_cast<unsigned char*>(state);
  auto* places = bytes + padded(problem.extents.x * size_of(problem));
  return {reinterpret_cast<T*>(bytes), reinterpret_cast<std::int32_t*>(places),
          reinterpret_cast<std::int32_t*>(places + padded(problem.extents.x * 4))};
}

// Size in bytes of the shared memory of a block of `split`: its tile sorted by piece, and two tables with an
// entry per piece. These are the arguments `begin` and `further` of begin_runs.
template <typename T>
std::size_t split_bytes(std::int64_t pieces) {
  return tile * (sizeof(T) + sizeof(std::int32_t)) +
         2 * static_cast<std::size_t>(pieces) * sizeof(std::int32_t);
}

// Exclusive scan of a tile's element counts per piece.
//
// Input: begin[q] is the number of elements of piece q in the tile.
// Output: begin[q] is the start of piece q in the sorted tile. further[q] must be added to an element's index
// in the sorted tile to get its index in device memory, where the function reserves space.
__device__ void begin_runs(int bits, int pieces, std::int32_t* counts, std::int32_t* further,
                           std::int32_t* begin) {
  // two buffers, used alternately, so that one barrier per iteration suffices
  __shared__ std::int32_t totals[2][block / 32];
  std::int32_t before = 0;
  int turn = 0;
  for (int first = 0; first < pieces; first += block, turn ^= 1) {
    const int q = first + static_cast<int>(threadIdx.x);
    const std::int32_t count = q < pieces ? begin[q] : 0;
    const std::int32_t upto = warp_inclusive_sum(count);
    const WarpTotals<block, std::int32_t> warps(__shfl_sync(~0u, upto, 31), totals[turn]);
    if (count > 0) {
      begin[q] = before + warps.before + upto - count;
      further[q] = (q << bits) + atomicAdd(&counts[q], count) - begin[q];
    }
    before += warps.all;
  }
}

// First pass: moves the elements of a tile to their pieces. A block sorts the tile by piece in shared memory
// and then writes the elements of each piece contiguously.
template <typename T>
__global__ void __launch_bounds__(block)
    split(std::int64_t n, int bits, int pieces, const std::int32_t* __restrict__ p, const T* __restrict__ a,
          Workspace<T> work) {
  extern __shared__ __align__(16) unsigned char shared[];
  T* const elements = reinterpret_cast<T*>(shared);
  auto* const ordered = reinterpret_cast<std::int32_t*>(elements + tile);
  std::int32_t *const begin = ordered + tile, *const further = begin + pieces;
  const int thread = static_cast<int>(threadIdx.x);
  places::Four<std::int32_t> place[packs_each];
#pragma unroll
  for (int r = 0; r < packs_each; ++r)
    place[r] = places::read_part<Hinted>(p, places::pack_begin(packs_each, r), n);
  for (int q = thread; q < pieces; q += block) begin[q] = 0;
  __syncthreads();
  const auto for_elements = [&](const auto& visit) {
#pragma unroll
    for (int r = 0; r < packs_each; ++r)
#pragma unroll
      for (int k = 0; k < places::pack; ++k)
        if (places::pack_begin(packs_each, r) + k < n) visit(r, k, place[r].values[k]);
  };
  for_elements([=](int, int, std::int32_t to) { atomicAdd(&begin[to >> bits], 1); });
  places::Four<T> value[packs_each];
#pragma unroll
  for (int r = 0; r < packs_each; ++r)
    value[r] = places::read_part<Hinted>(a, places::pack_begin(packs_each, r), n);
  __syncthreads();
  begin_runs(bits, pieces, work.counts, further, begin);
  __syncthreads();
  for_elements([&](int r, int k, std::int32_t to) {
    const int at = atomicAdd(&begin[to >> bits], 1);
    ordered[at] = to;
    elements[at] = value[r].values[k];
  });
  __syncthreads();
  const std::int64_t left = n - static_cast<std::int64_t>(blockIdx.x) * tile;
  const int count = static_cast<int>(min(left, static_cast<std::int64_t>(tile)));
  for (int s = thread; s < count; s += block) {
    const std::int32_t to = ordered[s];
    const std::int64_t at = further[to >> bits] + s;
    work.places[at] = to;
    work.elements[at] = elements[s];
  }
}

// Second pass, one block per piece: scatters the piece's elements in shared memory and writes them to y in
// order.
template <typename T>
__global__ void __launch_bounds__(put_block)
    fill_pieces(std::int64_t n, int bits, Workspace<T> work, T* __restrict__ y) {
  extern __shared__ __align__(16) unsigned char shared[];
  T* const piece = reinterpret_cast<T*>(shared);
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) << bits;
  const int size = 1 << bits, count = static_cast<int>(min(n - first, static_cast<std::int64_t>(size)));
  for (int i = thread; i < count; i += under_way * put_block) {
    std::int32_t place[under_way];
    T value[under_way];
#pragma unroll
    for (int u = 0; u < under_way; ++u) {
      const bool there = i + u * put_block < count;
      place[u] = there ? __ldcs(&work.places[first + i + u * put_block]) : 0;
      value[u] = there ? __ldcs(&work.elements[first + i + u * put_block]) : T(0);
    }
#pragma unroll
    for (int u = 0; u < under_way; ++u)
      if (i + u * put_block < count) piece[place[u] & (size - 1)] = value[u];
  }
  __syncthreads();
  for (int i = thread * places::pack; i < count; i += put_block * places::pack) {
    if (i + places::pack <= count) {
      places::write_four<Hinted>(y + first + i, places::read_four<places::Plain>(piece + i));
    } else {
      for (int k = i; k < count; ++k) y[first + k] = piece[k];
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t n = call.problem.extents.x;
  const auto pieces = static_cast<int>(pieces_of(call.problem, shape));
  const Workspace<T> work = workspace_in<T>(call.state, call.problem);
  const cudaStream_t stream = stream_of(call);
  cudaMemsetAsync(work.counts, 0, static_cast<std::size_t>(pieces) * sizeof(std::int32_t), stream);
  split<<<blocks_for(n, tile), block, split_bytes<T>(pieces), stream>>>(
      n, shape.partition_bits, pieces, call.array<const std::int32_t>(0), call.array<const T>(1), work);
  if (fits_shared(call.problem, shape))
    fill_pieces<<<static_cast<unsigned>(pieces), put_block,
                  static_cast<std::size_t>(piece_bytes(call.problem, shape)), stream>>>(
        n, shape.partition_bits, work, call.array<T>(2));
  else
    scatter::put<Hinted>(call, {}, work.places, work.elements);
}

// Chooses larger pieces until a tile has at least 16 elements per piece.
void adapt(const Problem& problem, Shape& shape) {
  while (pieces_of(problem, shape) > few_pieces && shape.partition_bits < Bits::list().back())
    ++shape.partition_bits;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return pieces_of(problem, shape) > most_pieces
             ? "too many ranges of y for a block's tables in shared memory: choose a larger "
               "partition_bits"
             : nullptr;
}

template <typename T>
bool allow_shared(const Problem& problem, const Shape& shape) {
  const auto allow = [](const void* kernel, std::size_t bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(bytes)) == cudaSuccess;
  };
  return allow(reinterpret_cast<const void*>(split<T>), split_bytes<T>(pieces_of(problem, shape))) &&
         (!fits_shared(problem, shape) || allow(reinterpret_cast<const void*>(fill_pieces<T>),
                                                static_cast<std::size_t>(piece_bytes(problem, shape))));
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  const bool allowed = call.problem.type == ElementType::float64 ? allow_shared<double>(call.problem, shape)
                                                                 : allow_shared<float>(call.problem, shape);
  const char* reason = nullptr;
  if (!allowed)
    reason = "a tile and its tables need more shared memory than a block of this GPU can have";
  else if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, shape))) != cudaSuccess)
    reason = "no device memory for the partitioned elements";
  if (reason) cudaGetLastError();  // clear the error, so that a later check does not report it
  return reason;
}

}  // namespace

std::vector<Variant> scatter_cuda_partitioned() {
  return {{.name = "partitioned",
           .description =
               "partitions elements by ranges of y, then scatters each range in shared memory or the L2 "
               "cache",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>({{"partition_bits", &Shape::partition_bits, Bits::list()}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = by_name<refuse>,
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { cudaFree(state); },
           .workspace = by_name<workspace>,
           .for_large_arrays = true}};
}

}  // namespace sextant
