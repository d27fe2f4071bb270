// Radix sort with three launches per digit. In the first, each block counts the digits in its chunk of the
// keys. In the second, one block scans the counts to get each chunk's output position for each digit. In the
// third, the blocks move their keys to these positions, tile by tile.
#include "passes.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Radices = Choices<4, 6, 8>;
constexpr int block = 512, items = 8, tile_size = block * items, scan_block = 1024;

// The choices for `blocks` are multiples of 132, the number of multiprocessors of an H200.
struct Shape {
  int radix_bits = 8, blocks = 264;
};

// Computes counts[digit][block], the number of keys with this digit in the block's chunk.
template <int bits, typename T>
__global__ void __launch_bounds__(block)
    count_chunks(std::int64_t n, std::int64_t chunk, int shift, const T* __restrict__ keys, int* counts) {
  constexpr int radix = 1 << bits;
  __shared__ int table[radix];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < radix) table[thread] = 0;
  __syncthreads();
  const std::int64_t begin = blockIdx.x * chunk, end = min(n, begin + chunk);
  for (std::int64_t i = begin + thread; i < end; i += block)
    atomicAdd(&table[sort::digit_of<bits>(sort::ordered(keys[i]), shift)], 1);
  __syncthreads();
  if (thread < radix) counts[static_cast<std::int64_t>(thread) * gridDim.x + blockIdx.x] = table[thread];
}

// One block replaces the counts by their exclusive prefix sums.
__global__ void __launch_bounds__(scan_block) add_up(int size, int* counts) {
  // two buffers, used alternately, so that one barrier per iteration suffices
  __shared__ int totals[2][scan_block / 32];
  int before = 0, turn = 0;
  for (int first = 0; first < size; first += scan_block, turn ^= 1) {
    const int at = first + static_cast<int>(threadIdx.x);
    const int count = at < size ? counts[at] : 0;
    const int upto = warp_inclusive_sum(count);
    const WarpTotals<scan_block, int> warps(__shfl_sync(~0u, upto, 31), totals[turn]);
    if (at < size) counts[at] = before + warps.before + upto - count;
    before += warps.all;
  }
}

template <bool pairs, int bits, typename T>
__global__ void __launch_bounds__(block) move_chunks(std::int64_t n, std::int64_t chunk, int shift,
                                                     const int* __restrict__ places, sort::Pass<T> pass) {
  using Keys = sort::Tile<bits, block, items, sort::Bits<T>>;
  extern __shared__ __align__(16) unsigned char bytes[];
  auto& shared = *reinterpret_cast<typename Keys::Shared*>(bytes);
  const int thread = static_cast<int>(threadIdx.x);
  // output position of the next key whose digit is the thread index
  int next = thread < Keys::radix ? places[static_cast<std::int64_t>(thread) * gridDim.x + blockIdx.x] : 0;
  const std::int64_t begin = blockIdx.x * chunk, end = min(n, begin + chunk);
  for (std::int64_t first = begin; first < end; first += tile_size) {
    const int count = static_cast<int>(min(static_cast<std::int64_t>(tile_size), end - first));
    Keys tile;
    tile.load(pass.keys + first, count);
    tile.rank_in_warp(shared, shift);
    __syncthreads();
    const int mine = Keys::count_all(shared);
    Keys::begin_at(shared, next);
    next += mine;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int at = Keys::first_place() + 32 * i, to = tile.goes_to(shared, i, shift);
      if (at >= count) continue;
      pass.sorted[to] = sort::restored<T>(tile.keys[i]);
      if constexpr (pairs) pass.sorted_values[to] = pass.values[first + at];
    }
    __syncthreads();
  }
}

std::int64_t bytes_of_counts(const Shape& shape) {
  return (std::int64_t{1} << shape.radix_bits) * shape.blocks * std::int64_t{sizeof(int)};
}

template <int bits, bool pairs, typename T>
void launch_passes(const Call& call, const Shape& shape) {
  using Shared = typename sort::Tile<bits, block, items, sort::Bits<T>>::Shared;
  constexpr int passes = (8 * static_cast<int>(sizeof(T)) + bits - 1) / bits;
  const std::int64_t n = call.problem.extents.x, tiles = (n + tile_size - 1) / tile_size;
  const std::int64_t chunk = (tiles + shape.blocks - 1) / shape.blocks * tile_size;
  const auto blocks = static_cast<unsigned>(shape.blocks);
  auto* counts = static_cast<int*>(call.state);
  T* other = reinterpret_cast<T*>(static_cast<char*>(call.state) + bytes_of_counts(shape));
  const cudaStream_t stream = stream_of(call);
  for (int number = 0; number < passes; ++number) {
    const auto pass = sort::pass_of(call, number, passes, other);
    const int shift = bits * number;
    count_chunks<bits><<<blocks, block, 0, stream>>>(n, chunk, shift, pass.keys, counts);
    add_up<<<1, scan_block, 0, stream>>>((1 << bits) * shape.blocks, counts);
    move_chunks<pairs, bits><<<blocks, block, sizeof(Shared), stream>>>(n, chunk, shift, counts, pass);
  }
}

// Calls function.template operator()<bits, pairs, T>() for the call's key type and tuning.
template <typename Function>
void with_all(const Call& call, const Function& function) {
  sort::with_keys(call.problem, [&]<bool pairs, typename T>() {
    Radices::with(call.tuned<Shape>().radix_bits,
                  [&]<int bits>() { function.template operator()<bits, pairs, T>(); });
  });
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  with_all(call, [&]<int bits, bool pairs, typename T>() { launch_passes<bits, pairs, T>(call, shape); });
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return bytes_of_counts(shape) + sort::bytes_of_other(problem);
}

const char* prepare(const Call& call, void** state) {
  const char* reason = nullptr;
  with_all(call, [&]<int bits, bool pairs, typename T>() {
    if (!sort::allow_shared(reinterpret_cast<const void*>(move_chunks<pairs, bits, T>),
                            sizeof(typename sort::Tile<bits, block, items, sort::Bits<T>>::Shared)))
      reason = "a tile needs more shared memory than a block of this GPU can have";
  });
  if (reason) return reason;
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, call.tuned<Shape>()))) ==
      cudaSuccess)
    return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the keys between passes";
}

}  // namespace

std::vector<Variant> sort_cuda_radix() {
  return {{.name = "radix",
           .description =
               "radix sort, three launches per digit: count digits per chunk, scan the counts, move the "
               "keys",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>({{"radix_bits", &Shape::radix_bits, Radices::list()},
                                        {"blocks", &Shape::blocks, {132, 264, 528, 1056}}}),
           .launch = {.float32 = launch, .float64 = launch, .int32 = launch},
           .prepare = prepare,
           .release = [](void* state) { cudaFree(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
