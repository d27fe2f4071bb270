// Many bins: keys are sorted roughly, into pieces of neighbouring bins, until a piece's table fits a block's shared memory;
// no atomic addition goes to memory at random. Four launches: how many keys each piece has; where its keys begin; the keys
// to their pieces, in any order within one; and a block a piece, which counts and writes its part of the result.
#include "keys.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant {
namespace {

using Bits = Choices<12, 13, 14, 15>;

constexpr int block = 1024;
constexpr int under_way = 4;          // keys that a thread has loaded before it counts them
constexpr int most_pieces = 1 << 14;  // whose counts a block keeps in shared memory

// Few blocks, as each writes to all pieces: what they have not written in full is to stay in the cache. One for each of an
// H200's multiprocessors.
struct Shape {
  int piece_bits = 14, blocks = 132;
};

std::int64_t pieces_of(const Problem& problem, const Shape& shape) {
  return (histogram::bins_of(problem) + (std::int64_t{1} << shape.piece_bits) - 1) >> shape.piece_bits;
}

// Of device memory, in this order: the keys by pieces; where pieces begin and one more; how many keys they have; of every
// block, how many keys of each piece come before its own.
struct Workspace {
  std::int32_t *keys, *begins, *counts, *before;
};

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  const std::int64_t pieces = pieces_of(problem, shape);
  return (problem.extents.x + 2 * pieces + 1 + shape.blocks * pieces) * std::int64_t{sizeof(std::int32_t)};
}

__device__ __forceinline__ void clear_table(std::int32_t* table, int size) {
  for (int p = static_cast<int>(threadIdx.x); p < size; p += block) table[p] = 0;
  __syncthreads();
}

// visit(key) for the keys of the calling block's share, in both launches that go through all.
template <typename Visit>
__device__ __forceinline__ void for_own_keys(std::int64_t n, const std::int32_t* __restrict__ k,
                                             const Visit& visit) {
  constexpr int width = histogram::width;
  const std::int64_t vectors = (n + width - 1) / width, share = (vectors + gridDim.x - 1) / gridDim.x;
  const std::int64_t end = min(vectors, (blockIdx.x + 1) * share);
  for (std::int64_t v = blockIdx.x * share + threadIdx.x; v < end; v += block) {
    if ((v + 1) * width <= n) {
      const auto keys = load<width>(k + v * width);
#pragma unroll
      for (int e = 0; e < width; ++e) visit(keys[e]);
    } else {
      for (std::int64_t i = v * width; i < n; ++i) visit(k[i]);
    }
  }
}

// counts[p] += the keys of piece p in the block's share; counts are zero before. What was there belongs to blocks before.
__global__ void __launch_bounds__(block)
    count_pieces(std::int64_t n, int bits, int pieces, const std::int32_t* __restrict__ k, Workspace work) {
  extern __shared__ std::int32_t table[];
  clear_table(table, pieces);
  for_own_keys(n, k, [bits](std::int32_t key) { atomicAdd(&table[key >> bits], 1); });
  __syncthreads();
  std::int32_t* before = work.before + static_cast<std::int64_t>(blockIdx.x) * pieces;
  for (int p = static_cast<int>(threadIdx.x); p < pieces; p += block)
    before[p] = atomicAdd(&work.counts[p], table[p]);
}

// One block: begins[p] = the keys of the pieces before p.
__global__ void __launch_bounds__(block) begin_pieces(int pieces, Workspace work) {
  __shared__ std::int32_t totals[2][block / 32];  // in turns: one barrier a step
  std::int32_t before = 0;
  int turn = 0;
  for (int first = 0; first < pieces; first += block, turn ^= 1) {
    const int p = first + static_cast<int>(threadIdx.x);
    const std::int32_t count = p < pieces ? work.counts[p] : 0;
    const std::int32_t upto = warp_inclusive_sum(count);
    const WarpTotals<block, std::int32_t> warps(__shfl_sync(~0u, upto, 31), totals[turn]);
    if (p < pieces) work.begins[p] = before + warps.before + upto - count;
    before += warps.all;
  }
  if (threadIdx.x == 0) work.begins[pieces] = before;
}

// Keys to their pieces: the block's own room in each is handed out among its threads.
__global__ void __launch_bounds__(block)
    split(std::int64_t n, int bits, int pieces, const std::int32_t* __restrict__ k, Workspace work) {
  extern __shared__ std::int32_t table[];
  const std::int32_t* before = work.before + static_cast<std::int64_t>(blockIdx.x) * pieces;
  for (int p = static_cast<int>(threadIdx.x); p < pieces; p += block) table[p] = work.begins[p] + before[p];
  __syncthreads();
  for_own_keys(n, k,
               [bits, keys = work.keys](std::int32_t key) { keys[atomicAdd(&table[key >> bits], 1)] = key; });
}

// A block a piece: its keys counted in shared memory, its part of the result written in order.
__global__ void __launch_bounds__(block)
    count_keys(int bits, std::int64_t bins, Workspace work, std::int32_t* __restrict__ c) {
  extern __shared__ std::int32_t table[];
  const int size = 1 << bits;
  clear_table(table, size);
  const std::int64_t end = work.begins[blockIdx.x + 1];
  for (std::int64_t i = work.begins[blockIdx.x] + static_cast<std::int64_t>(threadIdx.x); i < end;
       i += under_way * block) {
    std::int32_t keys[under_way];
#pragma unroll
    for (int u = 0; u < under_way; ++u) keys[u] = i + u * block < end ? work.keys[i + u * block] : 0;
#pragma unroll
    for (int u = 0; u < under_way; ++u)
      if (i + u * block < end) atomicAdd(&table[keys[u] & (size - 1)], 1);
  }
  __syncthreads();
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) << bits;
  for (int b = static_cast<int>(threadIdx.x); b < size; b += block)
    if (first + b < bins) c[first + b] = table[b];
}

// Bytes of shared memory of the tables, of pieces and of a piece's bins.
std::size_t pieces_table(const Problem& problem, const Shape& shape) {
  return static_cast<std::size_t>(pieces_of(problem, shape)) * sizeof(std::int32_t);
}
std::size_t piece_table(const Shape& shape) {
  return (std::size_t{1} << shape.piece_bits) * sizeof(std::int32_t);
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t n = call.problem.extents.x, bins = histogram::bins_of(call.problem);
  const auto pieces = static_cast<int>(pieces_of(call.problem, shape));
  const auto blocks = static_cast<unsigned>(shape.blocks);
  const std::size_t table = pieces_table(call.problem, shape);
  const std::int32_t* k = call.array<const std::int32_t>(0);
  auto* keys = static_cast<std::int32_t*>(call.state);
  const Workspace work{keys, keys + n, keys + n + pieces + 1, keys + n + 2 * std::int64_t{pieces} + 1};
  const cudaStream_t stream = stream_of(call);
  cudaMemsetAsync(work.counts, 0, table, stream);
  count_pieces<<<blocks, block, table, stream>>>(n, shape.piece_bits, pieces, k, work);
  begin_pieces<<<1, block, 0, stream>>>(pieces, work);
  split<<<blocks, block, table, stream>>>(n, shape.piece_bits, pieces, k, work);
  count_keys<<<static_cast<unsigned>(pieces), block, piece_table(shape), stream>>>(
      shape.piece_bits, bins, work, call.array<std::int32_t>(1));
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return pieces_of(problem, shape) > most_pieces
             ? "more pieces than a block counts: take more bits for a piece"
             : nullptr;
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  const auto allow = [](const void* kernel, std::size_t bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(bytes)) == cudaSuccess;
  };
  const std::size_t table = pieces_table(call.problem, shape);
  const char* reason = nullptr;
  if (!allow(reinterpret_cast<const void*>(count_pieces), table) ||
      !allow(reinterpret_cast<const void*>(split), table) ||
      !allow(reinterpret_cast<const void*>(count_keys), piece_table(shape)))
    reason = "this GPU gives a block less shared memory than a table takes";
  else if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, shape))) != cudaSuccess)
    reason = "no device memory for the keys by pieces";
  if (reason) cudaGetLastError();  // an error that is reported must not be found by a later check
  return reason;
}

}  // namespace

Variant histogram_cuda_partitioned() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "many bins: keys to pieces of neighbouring bins, then a block a piece counts in shared memory";
  variant.tunables = tunables<Shape>(
      {{"piece_bits", &Shape::piece_bits, Bits::list()}, {"blocks", &Shape::blocks, {66, 132, 264, 528}}});
  variant.launch.int32 = launch;
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
