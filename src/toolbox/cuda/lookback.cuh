// Running sums over the tiles of one launch, without a launch between (Merrill and Garland, "Single-pass
// parallel prefix scan with decoupled look-back", 2016). A tile posts its own sum, then looks back at the
// tiles before it, adds their sums until it meets one that knows the sum of all up to itself, and posts that
// sum of its own in turn.
//
// What a tile posts bears a tag: the launch it belongs to, and which of the two sums it is. Value and tag
// share their 64-bit words, so whoever finds the awaited tag has the value with it: no fence, no flag; and
// letters of earlier launches need not be cleared. Tiles are numbered as their blocks begin to run, by a
// ticket: whatever a tile waits for belongs to a block that runs already. The block with the last ticket puts
// it back and counts the launch: every other block has its ticket by then.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "toolbox/cuda/patience.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::lookback {

enum Kind : unsigned { none = 0, of_tile = 1, of_all = 2 };

// Tags of launch `epoch`, which counts from 1 modulo 2^30: letters that are all zero belong to none.
inline constexpr unsigned epoch_mask = (1u << 30) - 1;
__device__ __forceinline__ unsigned tag_of(unsigned epoch, Kind kind) { return epoch << 2 | kind; }

// For every 32 bits of the value a 64-bit word with the tag above them.
template <typename T>
struct alignas(2 * sizeof(T)) Letter {
  static constexpr int words = sizeof(T) / 4;
  unsigned long long word[words];
};

template <typename T>
union Bits {
  T value;
  unsigned part[sizeof(T) / 4];
};

template <typename T>
__device__ __forceinline__ void post(Letter<T>* letter, T value, unsigned tag) {
  Bits<T> bits;
  bits.value = value;
  const unsigned long long above = static_cast<unsigned long long>(tag) << 32;
  if constexpr (sizeof(T) == 4)
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(letter), "l"(above | bits.part[0]) : "memory");
  else
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(letter), "l"(above | bits.part[0]),
                 "l"(above | bits.part[1])
                 : "memory");
}

// What lies in the letter: its kind, none if it is of another launch or half of it is still of another kind.
template <typename T>
__device__ __forceinline__ Kind peek(const Letter<T>* letter, unsigned epoch, T& value) {
  Bits<T> bits;
  unsigned long long low, high;
  if constexpr (sizeof(T) == 4) {
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(low) : "l"(letter) : "memory");
    high = low;
    bits.part[0] = static_cast<unsigned>(low);
  } else {
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(low), "=l"(high)
                 : "l"(letter)
                 : "memory");
    bits.part[0] = static_cast<unsigned>(low);
    bits.part[1] = static_cast<unsigned>(high);
  }
  const auto tag = static_cast<unsigned>(low >> 32);
  if (tag != static_cast<unsigned>(high >> 32) || tag >> 2 != epoch) return none;
  value = bits.value;
  return static_cast<Kind>(tag & 3);
}

// What the blocks of a launch share, on the device (Tickets).
template <typename T>
struct Board {
  unsigned long long* ticket = nullptr;  // the launch above the next tile's number
  Letter<T>* letters = nullptr;          // one a tile
  Patience patience = {};
  unsigned wait_ns = 0;  // before a tile looks back, and before it looks again: looks are traffic, too
};

struct Tile {
  unsigned number, epoch;
};

// The calling thread's block's tile; by one thread a block, of all gridDim.x blocks.
template <typename T>
__device__ __forceinline__ Tile take(const Board<T>& board) {
  const unsigned long long ticket = atomicAdd(board.ticket, 1ull);
  const Tile tile{static_cast<unsigned>(ticket), static_cast<unsigned>(ticket >> 32)};
  if (tile.number == gridDim.x - 1) {
    const unsigned next = tile.epoch == epoch_mask ? 1 : tile.epoch + 1;
    atomicExch(board.ticket, static_cast<unsigned long long>(next) << 32);
  }
  return tile;
}

// The letters before `end`, one a lane, from the nearest on, as far as one that is of all: their sum, and
// whether there was one. Tiles before the first count as one of all, 0. By a whole warp; gives up when
// patience is at its end.
template <typename T>
__device__ __forceinline__ T sum_of_window(const Board<T>& board, unsigned epoch, std::int64_t end,
                                           int& peeks, bool& complete) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::int64_t mine = end - 1 - lane;
  T value = 0;
  Kind kind = mine < 0 ? of_all : none;
  int nearest = 0;
  for (;;) {
    if (kind == none) kind = peek(&board.letters[mine], epoch, value);
    const unsigned all = __ballot_sync(~0u, kind == of_all), missing = __ballot_sync(~0u, kind == none);
    nearest = all ? __ffs(static_cast<int>(all)) - 1 : 31;
    if ((missing & (~0u >> (31 - nearest))) == 0) break;
    if (--peeks <= 0) {
      board.patience.give_up();
      break;
    }
    if (board.wait_ns > 0) __nanosleep(board.wait_ns);
  }
  complete = __any_sync(~0u, kind == of_all);
  return warp_sum(kind != none && lane <= nearest ? value : T(0));
}

// The sum of all tiles before `tile`, whose own is `sum`, in all lanes of the calling warp, the only one of
// its block to call this.
template <typename T>
__device__ T sum_before(const Board<T>& board, const Tile& tile, T sum) {
  const bool first_lane = threadIdx.x % 32 == 0;
  Letter<T>* own = &board.letters[tile.number];
  if (tile.number == 0) {
    if (first_lane) post(own, sum, tag_of(tile.epoch, of_all));
    return T(0);
  }
  if (first_lane) post(own, sum, tag_of(tile.epoch, of_tile));
  T before = 0;
  int peeks = board.patience.peeks;
  bool complete = false;
  if (board.wait_ns > 0) __nanosleep(board.wait_ns);
  for (std::int64_t end = tile.number; !complete; end -= 32)
    before += sum_of_window(board, tile.epoch, end, peeks, complete);
  if (first_lane) post(own, before + sum, tag_of(tile.epoch, of_all));
  return before;
}

// Tiles that know `columns` sums each, one a thread, of numbers that are not negative, all of them together
// below 2^30: a letter is 32 bits, the sum and its kind above it. Letters lie tile by tile, one for each
// column, and are all zero before a launch, as they have no room for its number.
struct Columns {
  unsigned* letters = nullptr;
  int columns = 0;
  Patience patience = {};

  static constexpr unsigned sum_mask = (1u << 30) - 1;
  static std::int64_t bytes(std::int64_t tiles, int columns) {
    return tiles * columns * static_cast<std::int64_t>(sizeof(unsigned));
  }
  __device__ __forceinline__ unsigned* letter(int tile, int column) const {
    return letters + static_cast<std::int64_t>(tile) * columns + column;
  }
  __device__ __forceinline__ void post(int tile, int column, int sum, Kind kind) const {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(letter(tile, column)),
                 "r"(static_cast<unsigned>(kind) << 30 | static_cast<unsigned>(sum))
                 : "memory");
  }
  __device__ __forceinline__ unsigned peek(int tile, int column) const {
    unsigned value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(letter(tile, column)) : "memory");
    return value;
  }
};

// Says what the tile's own sum of a column is, as early as that is known. Sums begin with `base`, which
// counts in the first tile alone.
__device__ __forceinline__ void post_column(const Columns& board, int tile, int column, int sum, int base) {
  if (tile == 0)
    board.post(tile, column, base + sum, of_all);
  else
    board.post(tile, column, sum, of_tile);
}

// Then the sum of all tiles before it, which looks back some tiles at a time. Both by the column's own
// thread.
__device__ __forceinline__ int sum_before_column(const Columns& board, int tile, int column, int sum,
                                                 int base) {
  constexpr int window = 4;  // tiles whose letters are asked for at once
  if (tile == 0) return base;
  int before = 0, peeks = board.patience.peeks;
  bool complete = false;
  for (int other = tile - 1; !complete;) {
    unsigned letters[window];
#pragma unroll
    for (int w = 0; w < window; ++w)
      letters[w] = other < w ? static_cast<unsigned>(of_all) << 30 : board.peek(other - w, column);
    bool there = true;
#pragma unroll
    for (int w = 0; w < window; ++w) {
      there = there && !complete && letters[w] != 0;
      if (!there) continue;
      before += static_cast<int>(letters[w] & Columns::sum_mask);
      complete = letters[w] >> 30 == of_all;
      --other;
    }
    if (complete || --peeks > 0) continue;
    board.patience.give_up();
    break;
  }
  board.post(tile, column, before + sum, of_all);
  return before;
}

// The host's half, a variant's state: the memory behind a board.
class Tickets {
 public:
  Tickets() = default;
  ~Tickets() { cudaFree(memory_); }
  Tickets(const Tickets&) = delete;
  Tickets& operator=(const Tickets&) = delete;

  // Of a board for `tiles` tiles, whose values have `value_size` bytes.
  static std::int64_t bytes(std::int64_t tiles, std::size_t value_size) {
    return letters_at + tiles * 2 * static_cast<std::int64_t>(value_size);
  }

  // On the current device; what it does is done when it returns.
  cudaError_t make(std::int64_t tiles, std::size_t value_size) {
    const auto size = static_cast<std::size_t>(bytes(tiles, value_size));
    const unsigned long long first = 1ull << 32;  // launch 1, tile 0
    cudaError_t error = flag_.make();
    if (error == cudaSuccess) error = cudaMalloc(&memory_, size);
    if (error == cudaSuccess) error = cudaMemset(memory_, 0, size);
    if (error == cudaSuccess) error = cudaMemcpy(memory_, &first, sizeof first, cudaMemcpyHostToDevice);
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
  }

  const char* failure() const { return flag_.failure(); }

  Patience patience() const { return flag_.patience(); }

  template <typename T>
  Board<T> board(int wait_ns = 0) const {
    auto* bytes = static_cast<unsigned char*>(memory_);
    return {reinterpret_cast<unsigned long long*>(bytes), reinterpret_cast<Letter<T>*>(bytes + letters_at),
            flag_.patience(), static_cast<unsigned>(wait_ns)};
  }

 private:
  static constexpr std::int64_t letters_at = 128;  // a line of its own for the ticket
  WaitFlag flag_;
  void* memory_ = nullptr;
};

// Variant::prepare and release of a state that is a board alone.
inline const char* prepare_tickets(std::int64_t tiles, std::size_t value_size, void** state) {
  auto* tickets = new Tickets;
  if (tickets->make(tiles, value_size) == cudaSuccess) {
    *state = tickets;
    return nullptr;
  }
  delete tickets;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the tiles' sums";
}
inline void release_tickets(void* state) { delete static_cast<Tickets*>(state); }

}  // namespace sextant::lookback
