// A launch a digit that reads and writes every key once: tiles sort by the digit in shared memory, look back for how many keys of
// each digit the tiles before them have, and write runs of keys of one digit (Adinets and Merrill, "Onesweep", 2022). One
// launch before these counts all digits.
#include "passes.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/lookback.cuh"

namespace sextant {
namespace {

constexpr int bits = 8, radix = 1 << bits;
using Blocks = Choices<256, 384, 512>;
using Items = Choices<8, 16, 24>;

// Items are keys of 4 bytes; of 8 bytes a thread has half as many. `count_blocks` count the digits.
struct Shape {
  int block_size = 512, items_per_thread = 16, count_blocks = 528;
};

template <bool pairs, int block, int items, typename T>
__global__ void __launch_bounds__(block) sweep(std::int64_t n, int shift, const int* __restrict__ counts,
                                               sort::Pass<T> pass, lookback::Board<std::int32_t> board) {
  using Keys = sort::Tile<bits, block, items, sort::Bits<T>>;
  extern __shared__ __align__(16) unsigned char bytes[];
  auto& shared = *reinterpret_cast<typename Keys::Shared*>(bytes);
  __shared__ int offsets[radix];  // from a place in the tile to the place among all
  __shared__ lookback::Tile taken;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) taken = lookback::take(board);
  __syncthreads();
  const lookback::Tile number = taken;
  const std::int64_t first = static_cast<std::int64_t>(number.number) * Keys::size;
  const int count = static_cast<int>(min(static_cast<std::int64_t>(Keys::size), n - first));
  Keys tile;
  tile.load(pass.keys + first, count);
  tile.rank_in_warp(shared, shift);
  __syncthreads();
  const int mine = Keys::add_up_warps(shared);
  if (thread < radix) lookback::post_column(board, number, radix, thread, mine);
  const int begin = Keys::before_thread(mine, shared.totals[0]);
  const int begin_of_all = Keys::before_thread(thread < radix ? counts[thread] : 0, shared.totals[1]);
  if (thread < radix) shared.begins[thread] = begin;
  __syncthreads();
  tile.scatter(shared, shift);
  if (thread < radix)
    offsets[thread] = begin_of_all - begin + lookback::sum_before_column(board, number, radix, thread, mine);
  __syncthreads();
  int to[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const int at = thread + i * block;
    if (at >= count) continue;
    const sort::Bits<T> key = shared.keys[at];
    to[i] = offsets[sort::digit_of<bits>(key, shift)] + at;
    pass.sorted[to[i]] = sort::restored<T>(key);
  }
  if constexpr (pairs) {
    __syncthreads();  // values take the keys' room
    auto* values = reinterpret_cast<std::int32_t*>(shared.keys);
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int at = Keys::first_place() + 32 * i;
      if (at < count) values[tile.places[i]] = pass.values[first + at];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int at = thread + i * block;
      if (at < count) pass.sorted_values[to[i]] = values[at];
    }
  }
}

std::int64_t tiles_of(const Problem& problem, const Shape& shape) {
  const std::int64_t size = std::int64_t{shape.block_size} * shape.items_per_thread * 4 /
                            static_cast<std::int64_t>(element_size(problem.type));
  return (problem.extents.x + size - 1) / size;
}

std::int64_t bytes_of_counts(const Problem& problem) {
  return static_cast<std::int64_t>(element_size(problem.type) * radix * sizeof(int));
}

// function(kernel, bytes of shared memory, other), for the call's keys and tuning; `other` is a null pointer to keys.
template <typename Function>
void with_kernel(const Call& call, const Function& function) {
  const auto shape = call.tuned<Shape>();
  sort::with_keys(call.problem, [&]<bool pairs, typename T>() {
    Blocks::with(shape.block_size, [&]<int block>() {
      Items::with(shape.items_per_thread, [&]<int all>() {
        constexpr int items = all * 4 / static_cast<int>(sizeof(T));
        using Keys = sort::Tile<bits, block, items, sort::Bits<T>>;
        function(sweep<pairs, block, items, T>, sizeof(typename Keys::Shared), static_cast<T*>(nullptr));
      });
    });
  });
}

// The tickets and letters of tiles; the counts of digits; keys between passes.
struct State {
  lookback::Tickets tickets;
  void* memory = nullptr;
  ~State() { cudaFree(memory); }
};

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t n = call.problem.extents.x;
  const auto tiles = static_cast<unsigned>(tiles_of(call.problem, shape));
  const auto board = state.tickets.board<std::int32_t>();
  auto* counts = static_cast<int*>(state.memory);
  void* other = static_cast<char*>(state.memory) + bytes_of_counts(call.problem);
  cudaMemsetAsync(counts, 0, static_cast<std::size_t>(bytes_of_counts(call.problem)), stream_of(call));
  with_kernel(call, [&]<typename T>(auto kernel, std::size_t bytes, T*) {
    const unsigned blocks = std::min(static_cast<unsigned>(shape.count_blocks),
                                     blocks_for(n, sort::counting_block * vector_length<T>));
    sort::count_digits<<<blocks, sort::counting_block, 0, stream_of(call)>>>(n, call.array<const T>(0),
                                                                             counts);
    constexpr int passes = static_cast<int>(sizeof(T));
    for (int pass = 0; pass < passes; ++pass)
      kernel<<<tiles, shape.block_size, bytes, stream_of(call)>>>(
          n, bits * pass, counts + radix * pass, sort::pass_of(call, pass, passes, static_cast<T*>(other)),
          board);
  });
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(tiles_of(problem, shape) * radix, sizeof(std::int32_t)) +
         bytes_of_counts(problem) + sort::bytes_of_other(problem);
}

const char* prepare(const Call& call, void** state) {
  const char* reason = nullptr;
  with_kernel(call, [&](auto kernel, std::size_t bytes, auto*) {
    if (!sort::allow_shared(reinterpret_cast<const void*>(kernel), bytes))
      reason = "this GPU gives a block less shared memory than a tile takes";
  });
  if (reason) return reason;
  auto* mine = new State;
  const std::int64_t letters = tiles_of(call.problem, call.tuned<Shape>()) * radix;
  const std::int64_t bytes = bytes_of_counts(call.problem) + sort::bytes_of_other(call.problem);
  if (mine->tickets.make(letters, sizeof(std::int32_t)) == cudaSuccess &&
      cudaMalloc(&mine->memory, static_cast<std::size_t>(bytes)) == cudaSuccess) {
    *state = mine;
    return nullptr;
  }
  delete mine;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the keys between passes";
}

}  // namespace

Variant sort_cuda_onesweep() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "digits of 8 bits: a launch that counts all, then one a digit whose tiles look back";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                      {"items_per_thread", &Shape::items_per_thread, Items::list()},
                                      {"count_blocks", &Shape::count_blocks, {132, 264, 528, 1056}}});
  variant.launch = {.float32 = launch, .float64 = launch, .int32 = launch};
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  return variant;
}

}  // namespace sextant
