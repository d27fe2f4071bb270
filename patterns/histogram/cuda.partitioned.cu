// For many bins: partitions the keys into ranges of neighbouring bins ("pieces"), so that updates do not
// access memory at random. Four launches: count the keys of each piece; compute where each piece starts; move
// the keys to their pieces, in any order within a piece; count the bins. Each block counts one piece in
// shared memory. Larger pieces are counted in the L2 cache, a few at a time.
#include "keys.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant {
namespace {

using Bits = Choices<12, 13, 14, 15, 16, 17, 18, 19, 20>;

constexpr int block = 1024;
constexpr int under_way = 4;     // keys that a thread loads before it counts them
constexpr int vectors_each = 4;  // vectors of keys that a thread of `split` loads per tile
constexpr int tile = block * vectors_each * histogram::width;
// Base-2 logarithm of the largest number of bins per piece that is counted in shared memory.
constexpr int most_shared_bits = 15;
// Up to this many pieces, a block's per-piece tables fit in shared memory together with a tile of keys.
constexpr int most_pieces = 1 << 12;
// Up to this many pieces, a tile has at least 16 keys per piece on average, so that `split` writes 64 bytes
// at once.
constexpr int few_pieces = 1 << 10;

// There are few blocks: each block writes to all pieces, and partially written cache lines should stay in the
// cache. The default is one block per multiprocessor of an H200.
struct Shape {
  int partition_bits = 14, blocks = 132;
};

std::int64_t pieces_of(const Problem& problem, const Shape& shape) {
  return (histogram::bins_of(problem) + (std::int64_t{1} << shape.partition_bits) - 1) >>
         shape.partition_bits;
}

// Arrays in device memory, in this order. `keys`: the keys ordered by piece. `begins`: the start of each
// piece and the end of the last one. `counts`: the number of keys per piece. `before`: for each block and
// piece, the number of keys in earlier blocks.
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

constexpr std::int32_t no_key = -1;

// The range of 16-byte vectors of keys that the calling block processes. It is the same in both launches that
// read all keys.
struct Share {
  std::int64_t begin, end;

  __device__ explicit Share(std::int64_t n) {
    const std::int64_t vectors = (n + histogram::width - 1) / histogram::width,
                       each = (vectors + gridDim.x - 1) / gridDim.x;
    begin = blockIdx.x * each;
    end = min(vectors, begin + each);
  }

  // Loads the keys of vector v. Keys beyond the end are no_key.
  __device__ __forceinline__ Vector<std::int32_t, histogram::width> load(
      std::int64_t v, std::int64_t n, const std::int32_t* __restrict__ k) const {
    constexpr int width = histogram::width;
    if (v < end && (v + 1) * width <= n) return sextant::load<width>(k + v * width);
    Vector<std::int32_t, width> keys;
#pragma unroll
    for (int e = 0; e < width; ++e) keys[e] = v < end && v * width + e < n ? k[v * width + e] : no_key;
    return keys;
  }
};

// Adds the block's number of keys per piece to work.counts, which is zero before the launch. The old value of
// counts[p] is the block's offset within piece p.
__global__ void __launch_bounds__(block)
    count_pieces(std::int64_t n, int bits, int pieces, const std::int32_t* __restrict__ k, Workspace work) {
  extern __shared__ std::int32_t table[];
  clear_table(table, pieces);
  const Share share(n);
  for (std::int64_t v = share.begin + threadIdx.x; v < share.end; v += block) {
    const auto keys = share.load(v, n, k);
#pragma unroll
    for (int e = 0; e < histogram::width; ++e)
      if (keys[e] != no_key) atomicAdd(&table[keys[e] >> bits], 1);
  }
  __syncthreads();
  std::int32_t* before = work.before + static_cast<std::int64_t>(blockIdx.x) * pieces;
  for (int p = static_cast<int>(threadIdx.x); p < pieces; p += block)
    before[p] = atomicAdd(&work.counts[p], table[p]);
}

// One block computes begins[p], the number of keys in the pieces before p.
__global__ void __launch_bounds__(block) begin_pieces(int pieces, Workspace work) {
  // Two buffers, used alternately, so that one barrier per step suffices.
  __shared__ std::int32_t totals[2][block / 32];
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

// Exclusive scan of a tile's key counts per piece.
//
// Input: place[p] is the number of keys of piece p in the tile. Output: place[p] is the start of piece p in
// the sorted tile; to[p] is the offset from there to its position in memory; next[p] is the position of the
// next tile's keys.
//
// Returns the number of keys in the tile.
__device__ int begin_runs(int pieces, std::int32_t* next, std::int32_t* to, std::int32_t* place) {
  // Two buffers, used alternately, so that one barrier per step suffices.
  __shared__ std::int32_t totals[2][block / 32];
  int before = 0, turn = 0;
  for (int first = 0; first < pieces; first += block, turn ^= 1) {
    const int p = first + static_cast<int>(threadIdx.x);
    const std::int32_t count = p < pieces ? place[p] : 0;
    const std::int32_t upto = warp_inclusive_sum(count);
    const WarpTotals<block, std::int32_t> warps(__shfl_sync(~0u, upto, 31), totals[turn]);
    if (p < pieces) {
      place[p] = before + warps.before + upto - count;
      to[p] = next[p] - place[p];
      next[p] += count;
    }
    before += warps.all;
  }
  return before;
}

// Moves the keys to their pieces, tile by tile. A block sorts a tile by piece in shared memory, then writes
// the keys of each piece contiguously.
__global__ void __launch_bounds__(block, 2)
    split(std::int64_t n, int bits, int pieces, const std::int32_t* __restrict__ k, Workspace work) {
  extern __shared__ std::int32_t shared[];
  std::int32_t *next = shared, *to = next + pieces, *place = to + pieces, *ordered = place + pieces;
  const int thread = static_cast<int>(threadIdx.x);
  const std::int32_t* before = work.before + static_cast<std::int64_t>(blockIdx.x) * pieces;
  for (int p = thread; p < pieces; p += block) next[p] = work.begins[p] + before[p], place[p] = 0;
  __syncthreads();
  const Share share(n);
  for (std::int64_t first = share.begin; first < share.end; first += vectors_each * block) {
    Vector<std::int32_t, histogram::width> keys[vectors_each];
#pragma unroll
    for (int r = 0; r < vectors_each; ++r) keys[r] = share.load(first + r * block + thread, n, k);
    const auto for_keys = [&keys](const auto& visit) {
#pragma unroll
      for (int i = 0; i < vectors_each * histogram::width; ++i) {
        const std::int32_t key = keys[i / histogram::width][i % histogram::width];
        if (key != no_key) visit(key);
      }
    };
    for_keys([=](std::int32_t key) { atomicAdd(&place[key >> bits], 1); });
    __syncthreads();
    const int there = begin_runs(pieces, next, to, place);
    __syncthreads();
    for_keys([=](std::int32_t key) { ordered[atomicAdd(&place[key >> bits], 1)] = key; });
    __syncthreads();
    for (int s = thread; s < there; s += block) {
      const std::int32_t key = ordered[s];
      work.keys[to[key >> bits] + s] = key;
    }
    for (int p = thread; p < pieces; p += block) place[p] = 0;
    __syncthreads();
  }
}

// One block per piece counts the piece's keys in shared memory and writes its bins in order.
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

// Adds the keys, ordered by piece, to c, which is zero before the launch. Blocks that run at the same time
// update only a few pieces, whose bins stay in the L2 cache.
__global__ void __launch_bounds__(block)
    count_in_cache(std::int64_t n, const std::int32_t* __restrict__ keys, std::int32_t* c) {
  constexpr int width = histogram::width;
  const std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) * block + threadIdx.x) * width;
  if (i + width <= n) {
    const auto mine = load<width>(keys + i);
#pragma unroll
    for (int e = 0; e < width; ++e) atomicAdd(&c[mine[e]], 1);
  } else {
    for (std::int64_t last = i; last < n; ++last) atomicAdd(&c[keys[last]], 1);
  }
}

// Sizes in bytes of three tables in shared memory: one word per piece; all tables of `split`; the bins of one
// piece.
std::size_t pieces_table(const Problem& problem, const Shape& shape) {
  return static_cast<std::size_t>(pieces_of(problem, shape)) * sizeof(std::int32_t);
}
std::size_t split_tables(const Problem& problem, const Shape& shape) {
  return 3 * pieces_table(problem, shape) + tile * sizeof(std::int32_t);
}
bool counts_in_shared(const Shape& shape) { return shape.partition_bits <= most_shared_bits; }
std::size_t piece_table(const Shape& shape) {
  return counts_in_shared(shape) ? (std::size_t{1} << shape.partition_bits) * sizeof(std::int32_t) : 0;
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
  count_pieces<<<blocks, block, table, stream>>>(n, shape.partition_bits, pieces, k, work);
  begin_pieces<<<1, block, 0, stream>>>(pieces, work);
  split<<<blocks, block, split_tables(call.problem, shape), stream>>>(n, shape.partition_bits, pieces, k,
                                                                      work);
  if (counts_in_shared(shape)) {
    count_keys<<<static_cast<unsigned>(pieces), block, piece_table(shape), stream>>>(
        shape.partition_bits, bins, work, call.array<std::int32_t>(1));
  } else {
    histogram::clear_bins(call);
    count_in_cache<<<blocks_for(n, block * histogram::width), block, 0, stream>>>(
        n, work.keys, call.array<std::int32_t>(1));
  }
}

// Chooses larger pieces if a tile would have too few keys per piece.
void adapt(const Problem& problem, Shape& shape) {
  while (pieces_of(problem, shape) > few_pieces && shape.partition_bits < Bits::list().back())
    ++shape.partition_bits;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return pieces_of(problem, shape) > most_pieces
             ? "more than 4096 ranges of bins: choose a larger value of partition_bits"
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
      !allow(reinterpret_cast<const void*>(split), split_tables(call.problem, shape)) ||
      !allow(reinterpret_cast<const void*>(count_keys), piece_table(shape)))
    reason = "the tables need more shared memory than this GPU allows per block";
  else if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, shape))) != cudaSuccess)
    reason = "no device memory for the partitioned keys";
  if (reason) cudaGetLastError();  // clear the error, so that a later check does not report it
  return reason;
}

}  // namespace

std::vector<Variant> histogram_cuda_partitioned() {
  return {
      {.name = "partitioned",
       .description =
           "for many bins: partitions keys into ranges of bins, then counts each range in shared memory or "
           "the L2 cache",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Shape>({{"partition_bits", &Shape::partition_bits, Bits::list()},
                                    {"blocks", &Shape::blocks, {66, 132, 264, 528}}}),
       .launch = {.int32 = launch},
       .constraint = by_name<refuse>,
       .adapt = by_name<adapt>,
       .prepare = prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<workspace>,
       .for_large_arrays = true}};
}

}  // namespace sextant
