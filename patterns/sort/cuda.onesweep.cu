// Onesweep radix sort (Adinets and Merrill, "Onesweep", 2022). One initial launch counts all digits. Then one
// launch per digit reads and writes every key once. Each block sorts a tile of keys by the digit in shared
// memory. By decoupled look-back it gets the number of keys of each digit in earlier tiles. Then it writes
// the keys of each digit contiguously.
#include <cuda_pipeline.h>

#include "passes.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/lookback.cuh"

namespace sextant {
namespace {

constexpr int bits = 8, radix = 1 << bits;
using Blocks = Choices<256, 384, 512>;
using Items = Choices<8, 16, 24, 28, 32>;

// items_per_thread counts 4-byte keys; a thread has half as many 8-byte keys. count_blocks: number of blocks
// that count the digits. table_per_bank: whether each of these has one table per shared-memory bank.
struct Shape {
  int block_size = 512, items_per_thread = 16, count_blocks = 132, table_per_bank = 0;
};

// Returns whether a kernel is compiled for this shape. Kernels exist for the shapes that `adapt` chooses, and
// for 16 items in all block sizes. Pairs have at most 28 items, because more do not fit in registers.
constexpr bool has_kernel(bool pairs, std::size_t key_bytes, int block, int items) {
  if (items == 16) return true;
  if (items == 8) return key_bytes == 8 && block < 512;
  return block == 384 && pairs == (items < 32);
}

// Number of blocks per multiprocessor for the launch bounds. It is smaller if a thread has more than 16 words
// of keys, because they need more registers.
constexpr int resident(int block, int words) { return std::max((words > 16 ? 768 : 1024) / block, 1); }

// Format of the keys in memory. as_given: the original type. as_bits: unsigned numbers in the same order as
// the keys, which the passes between the first and the last use.
enum class Keys { as_given, as_bits };

template <typename T>
__device__ __forceinline__ sort::Bits<T> bits_of(T key, Keys form) {
  sort::Bits<T> bits;
  memcpy(&bits, &key, sizeof key);
  return form == Keys::as_given ? sort::ordered(key) : bits;
}
template <typename T>
__device__ __forceinline__ T key_of(sort::Bits<T> bits, Keys form) {
  T key;
  memcpy(&key, &bits, sizeof key);
  return form == Keys::as_given ? sort::restored<T>(bits) : key;
}

// Shared memory of a block: the keys of a tile, followed by their values.
template <typename Tile>
struct Room {
  typename Tile::Shared tile;
  std::int32_t values[Tile::size];

  static constexpr std::size_t bytes(bool pairs) {
    return pairs ? sizeof(Room) : sizeof(typename Tile::Shared);
  }
};

// One pass. `come` is the format of the keys that it reads, and `go` the format that it writes.
template <bool pairs, Keys come, Keys go, int block, int items, typename T>
__global__ void __launch_bounds__(block, resident(block, items* static_cast<int>(sizeof(T)) / 4))
    sweep(std::int64_t n, int shift, const int* __restrict__ counts, sort::Pass<T> pass,
          lookback::DescriptorArray<int> tickets, lookback::Columns flags) {
  using Tile = sort::Tile<bits, block, items, sort::Bits<T>>;
  extern __shared__ __align__(16) unsigned char bytes[];
  auto& room = *reinterpret_cast<Room<Tile>*>(bytes);
  auto& shared = room.tile;
  // for each digit: a key's index in the output minus its index in the sorted tile
  __shared__ int offsets[radix];
  __shared__ int taken;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) taken = static_cast<int>(lookback::take(tickets).number);
  __syncthreads();
  const int number = taken;
  const std::int64_t first = static_cast<std::int64_t>(number) * Tile::size;
  const int count = static_cast<int>(min(static_cast<std::int64_t>(Tile::size), n - first));
  Tile tile;
  tile.load(pass.keys + first, count, [](T key) { return bits_of(key, come); });
  tile.rank_in_warp(shared, shift);
  __syncthreads();
  const int mine = Tile::count_all(shared);
  // Start index of each digit in the output. The first tile computes it; other tiles get it by look-back.
  const int begin_of_all =
      number == 0 ? Tile::before_thread(thread < radix ? counts[thread] : 0, shared.totals[1]) : 0;
  if (thread < radix) lookback::post_column(flags, number, thread, mine, begin_of_all);
  const int begin = Tile::before_thread(mine, shared.totals[0]);
  Tile::begin_at(shared, begin);
  __syncthreads();
  tile.scatter(shared, shift);
  if constexpr (pairs) {  // the values are loaded while the block waits for earlier tiles
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int at = Tile::first_place() + 32 * i;
      if (at < count)
        __pipeline_memcpy_async(&room.values[tile.place(i)], pass.values + first + at, sizeof(std::int32_t));
    }
    __pipeline_commit();
  }
  if (thread < radix)
    offsets[thread] = lookback::sum_before_column(flags, number, thread, mine, begin_of_all) - begin;
  __syncthreads();
  const auto write_key = [&](int at, bool whole) {
    const sort::Bits<T> key = shared.keys[at];
    const int to = offsets[sort::digit_of<bits>(key, shift)] + at;
    if (whole || at < count) pass.sorted[to] = key_of<T>(key, go);
    return to;
  };
  if constexpr (pairs) {  // keys are written before waiting for the values
    int to[items];
#pragma unroll
    for (int i = 0; i < items; ++i) to[i] = write_key(thread + i * block, false);
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i)
      if (thread + i * block < count) pass.sorted_values[to[i]] = room.values[thread + i * block];
  } else if (count == Tile::size) {
#pragma unroll
    for (int i = 0; i < items; ++i) write_key(thread + i * block, true);
  } else {
#pragma unroll
    for (int i = 0; i < items; ++i) write_key(thread + i * block, false);
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
std::int64_t bytes_of_letters(const Problem& problem, const Shape& shape) {
  return static_cast<std::int64_t>(element_size(problem.type)) *
         lookback::Columns::bytes(tiles_of(problem, shape), radix);
}

// Calls function(first kernel, last kernel, middle kernel, bytes of shared memory, null) with the kernels for
// the call's key type and tuning. `null` is a null pointer of the key type, from which the function deduces
// it.
template <typename Function>
void with_kernel(const Call& call, const Function& function) {
  const auto shape = call.tuned<Shape>();
  sort::with_keys(call.problem, [&]<bool pairs, typename T>() {
    Blocks::with(shape.block_size, [&]<int block>() {
      Items::with(shape.items_per_thread, [&]<int all>() {
        if constexpr (has_kernel(pairs, sizeof(T), block, all)) {
          constexpr int items = all * 4 / static_cast<int>(sizeof(T));
          using Tile = sort::Tile<bits, block, items, sort::Bits<T>>;
          function(sweep<pairs, Keys::as_given, Keys::as_bits, block, items, T>,
                   sweep<pairs, Keys::as_bits, Keys::as_given, block, items, T>,
                   sweep<pairs, Keys::as_bits, Keys::as_bits, block, items, T>, Room<Tile>::bytes(pairs),
                   static_cast<T*>(nullptr));
        }
      });
    });
  });
}

// Calls function(kernel, bytes of shared memory) with the kernel that counts digits.
template <typename T, typename Function>
void with_counting(const Shape& shape, const Function& function) {
  constexpr int most = sort::most_tables<T>, few = most / 4, words = sizeof(T) * radix;
  if (shape.table_per_bank)
    function(sort::count_digits<most, T>, sizeof(int) * words * most);
  else
    function(sort::count_digits<few, T>, sizeof(int) * words * few);
}

// Device memory. `tickets` numbers the tiles. `memory` holds the digit counts, the look-back descriptors of
// all passes, and the keys between passes.
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
  const std::int64_t cleared = bytes_of_counts(call.problem) + bytes_of_letters(call.problem, shape);
  auto* counts = static_cast<int*>(state.memory);
  auto* flags = reinterpret_cast<unsigned*>(static_cast<char*>(state.memory) + bytes_of_counts(call.problem));
  void* other = static_cast<char*>(state.memory) + cleared;
  cudaMemsetAsync(counts, 0, static_cast<std::size_t>(cleared), stream_of(call));
  with_kernel(call, [&]<typename T>(auto first, auto last, auto middle, std::size_t bytes, T*) {
    with_counting<T>(shape, [&](auto count, std::size_t tables) {
      const unsigned blocks = std::min(static_cast<unsigned>(shape.count_blocks),
                                       blocks_for(n, sort::counting_block * vector_length<T>));
      count<<<blocks, sort::counting_block, tables, stream_of(call)>>>(n, call.array<const T>(0), counts);
    });
    constexpr int passes = static_cast<int>(sizeof(T));
    for (int pass = 0; pass < passes; ++pass)
      (pass == 0            ? first
       : pass + 1 == passes ? last
                            : middle)<<<tiles, shape.block_size, bytes, stream_of(call)>>>(
          n, bits * pass, counts + radix * pass, sort::pass_of(call, pass, passes, static_cast<T*>(other)),
          state.tickets.descriptors<int>(),
          {flags + std::int64_t{tiles} * radix * pass, radix, state.tickets.poll_limit()});
  });
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(1, sizeof(int)) + bytes_of_counts(problem) +
         bytes_of_letters(problem, shape) + sort::bytes_of_other(problem);
}

const char* prepare(const Call& call, void** state) {
  const char* reason = nullptr;
  const auto allow = [&](auto kernel, std::size_t bytes) {
    if (!sort::allow_shared(reinterpret_cast<const void*>(kernel), bytes))
      reason = "a tile or the digit counts need more shared memory than a block of this GPU can have";
  };
  with_kernel(call, [&]<typename T>(auto first, auto last, auto middle, std::size_t bytes, T*) {
    allow(first, bytes);
    allow(last, bytes);
    allow(middle, bytes);
    with_counting<T>(call.tuned<Shape>(), allow);
  });
  if (reason) return reason;
  auto* mine = new State;
  const std::int64_t bytes = bytes_of_counts(call.problem) +
                             bytes_of_letters(call.problem, call.tuned<Shape>()) +
                             sort::bytes_of_other(call.problem);
  if (mine->tickets.make(1, sizeof(int)) == cudaSuccess &&
      cudaMalloc(&mine->memory, static_cast<std::size_t>(bytes)) == cudaSuccess) {
    *state = mine;
    return nullptr;
  }
  delete mine;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the keys between passes";
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (!has_kernel(sort::has_values(problem), element_size(problem.type), shape.block_size,
                  shape.items_per_thread))
    return "items_per_thread=8 needs 8-byte keys and a block_size of 256 or 384; 24 and 28 need "
           "pairs, 32 needs keys without values, all three need block_size=384";
  return problem.extents.x > lookback::Columns::sum_mask
             ? "more than 2^30 - 1 keys, the limit of the look-back counters: use cuda.radix"
             : nullptr;
}

// Chosen from timings on an H200. A small number of keys needs small tiles, so that all multiprocessors get
// tiles. Pairs get fewer items per thread, because values need shared memory and registers.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t n = problem.extents.x;
  const bool pairs = sort::has_values(problem), eights = element_size(problem.type) == 8;
  if (pairs)
    shape = n <= 1 << 19   ? Shape{256, 16}
            : n <= 1 << 20 ? Shape{512, 16}
            : n <= 6 << 20 ? Shape{384, 24}
                           : Shape{384, 28};
  else if (eights && n <= 1 << 17)
    shape = {n <= 1 << 16 ? 256 : 384, 8};
  else if (n * static_cast<std::int64_t>(element_size(problem.type)) > 1 << 24)
    shape = {384, 32};
  else if (n <= 1 << 18)
    shape = {256, 16};
  shape.table_per_bank = n * static_cast<std::int64_t>(element_size(problem.type)) > 1 << 24;
}

}  // namespace

std::vector<Variant> sort_cuda_onesweep() {
  return {{.name = "onesweep",
           .description = "Onesweep radix sort with 8-bit digits: one launch counts, then one per digit with "
                          "decoupled look-back",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                        {"items_per_thread", &Shape::items_per_thread, Items::list()},
                                        {"count_blocks", &Shape::count_blocks, {66, 132, 264, 528}},
                                        {"table_per_bank", &Shape::table_per_bank, {0, 1}}}),
           .launch = {.float32 = launch, .float64 = launch, .int32 = launch},
           .constraint = by_name<refuse>,
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
