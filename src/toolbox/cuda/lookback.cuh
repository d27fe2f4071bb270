// Single-pass prefix sums with decoupled look-back (Merrill and Garland, "Single-pass parallel prefix scan
// with decoupled look-back", 2016). A tile publishes its own sum, then adds the sums of preceding tiles up to
// the nearest one with an inclusive prefix. It then publishes its own inclusive prefix.
//
// A published value shares its 64-bit words with a tag: the number of the launch and the kind of sum. A
// reader that finds the expected tag also has the value, so no fence or separate flag is needed. Descriptors
// of previous launches need not be cleared.
//
// Each block takes a ticket when it starts, which determines its tile. A tile therefore waits only for blocks
// that are already running. The block with the last ticket prepares the counter for the next launch.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "toolbox/cuda/poll_limit.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::lookback {

enum Kind : unsigned { none = 0, of_tile = 1, of_all = 2 };

// `epoch` is the number of the launch, which counts from 1 modulo 2^30. Zero-filled descriptors match no
// launch.
inline constexpr unsigned epoch_mask = (1u << 30) - 1;
__device__ __forceinline__ unsigned tag_of(unsigned epoch, Kind kind) { return epoch << 2 | kind; }

// Descriptor of a tile: one 64-bit word for each 32 bits of the value, with the tag in the upper half.
template <typename T>
struct alignas(2 * sizeof(T)) Descriptor {
  static constexpr int words = sizeof(T) / 4;
  unsigned long long word[words];
};

template <typename T>
union Bits {
  T value;
  unsigned part[sizeof(T) / 4];
};

template <typename T>
__device__ __forceinline__ void post(Descriptor<T>* descriptor, T value, unsigned tag) {
  Bits<T> bits;
  bits.value = value;
  const unsigned long long above = static_cast<unsigned long long>(tag) << 32;
  if constexpr (sizeof(T) == 4)
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(descriptor), "l"(above | bits.part[0])
                 : "memory");
  else
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(descriptor), "l"(above | bits.part[0]),
                 "l"(above | bits.part[1])
                 : "memory");
}

// Reads a descriptor. Returns `none` if it belongs to another launch or was only partly written.
template <typename T>
__device__ __forceinline__ Kind peek(const Descriptor<T>* descriptor, unsigned epoch, T& value) {
  Bits<T> bits;
  unsigned long long low, high;
  if constexpr (sizeof(T) == 4) {
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(low) : "l"(descriptor) : "memory");
    high = low;
    bits.part[0] = static_cast<unsigned>(low);
  } else {
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(low), "=l"(high)
                 : "l"(descriptor)
                 : "memory");
    bits.part[0] = static_cast<unsigned>(low);
    bits.part[1] = static_cast<unsigned>(high);
  }
  const auto tag = static_cast<unsigned>(low >> 32);
  if (tag != static_cast<unsigned>(high >> 32) || tag >> 2 != epoch) return none;
  value = bits.value;
  return static_cast<Kind>(tag & 3);
}

// Device memory that all blocks of a launch share (allocated by Tickets).
template <typename T>
struct DescriptorArray {
  unsigned long long* ticket = nullptr;  // upper half: launch number; lower half: index of the next tile
  Descriptor<T>* data = nullptr;         // one descriptor per tile
  PollLimit poll_limit = {};
  unsigned wait_ns = 0;  // nanoseconds to wait before each poll, to limit memory traffic
};

struct Tile {
  unsigned number, epoch;
};

// Returns the tile of the calling block. Exactly one thread of each block must call it.
template <typename T>
__device__ __forceinline__ Tile take(const DescriptorArray<T>& descriptors) {
  const unsigned long long ticket = atomicAdd(descriptors.ticket, 1ull);
  const Tile tile{static_cast<unsigned>(ticket), static_cast<unsigned>(ticket >> 32)};
  if (tile.number == gridDim.x - 1) {
    const unsigned next = tile.epoch == epoch_mask ? 1 : tile.epoch + 1;
    atomicExch(descriptors.ticket, static_cast<unsigned long long>(next) << 32);
  }
  return tile;
}

// Reads the 32 descriptors before `end`, one per lane, nearest first. Returns the sum of their values up to
// the nearest inclusive prefix; `complete` tells whether there was one. Positions before tile 0 count as an
// inclusive prefix of 0. The whole warp must call it. Gives up after `peeks` polls.
template <typename T>
__device__ __forceinline__ T sum_of_window(const DescriptorArray<T>& descriptors, unsigned epoch,
                                           std::int64_t end, int& peeks, bool& complete) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::int64_t mine = end - 1 - lane;
  T value = 0;
  Kind kind = mine < 0 ? of_all : none;
  int nearest = 0;
  for (;;) {
    if (kind == none) kind = peek(&descriptors.data[mine], epoch, value);
    const unsigned all = __ballot_sync(~0u, kind == of_all), missing = __ballot_sync(~0u, kind == none);
    nearest = all ? __ffs(static_cast<int>(all)) - 1 : 31;
    if ((missing & (~0u >> (31 - nearest))) == 0) break;
    if (--peeks <= 0) {
      descriptors.poll_limit.give_up();
      break;
    }
    if (descriptors.wait_ns > 0) __nanosleep(descriptors.wait_ns);
  }
  complete = __any_sync(~0u, kind == of_all);
  return warp_sum(kind != none && lane <= nearest ? value : T(0));
}

// Returns the sum of all tiles before `tile`, in all lanes. `sum` is the tile's own sum. Exactly one warp of
// each block must call it.
template <typename T>
__device__ T sum_before(const DescriptorArray<T>& descriptors, const Tile& tile, T sum) {
  const bool first_lane = threadIdx.x % 32 == 0;
  Descriptor<T>* own = &descriptors.data[tile.number];
  if (tile.number == 0) {
    if (first_lane) post(own, sum, tag_of(tile.epoch, of_all));
    return T(0);
  }
  if (first_lane) post(own, sum, tag_of(tile.epoch, of_tile));
  T before = 0;
  int peeks = descriptors.poll_limit.peeks;
  bool complete = false;
  if (descriptors.wait_ns > 0) __nanosleep(descriptors.wait_ns);
  for (std::int64_t end = tile.number; !complete; end -= 32)
    before += sum_of_window(descriptors, tile.epoch, end, peeks, complete);
  if (first_lane) post(own, before + sum, tag_of(tile.epoch, of_all));
  return before;
}

// Descriptors for tiles that have `columns` sums each; one thread handles one column. All sums are
// non-negative and total less than 2^30. A descriptor has 32 bits: the kind in the two highest bits, and the
// sum. Descriptors must be zero before a launch, because they do not contain the launch number.
struct Columns {
  unsigned* flags = nullptr;
  int columns = 0;
  PollLimit poll_limit = {};

  static constexpr unsigned sum_mask = (1u << 30) - 1;
  static std::int64_t bytes(std::int64_t tiles, int columns) {
    return tiles * columns * static_cast<std::int64_t>(sizeof(unsigned));
  }
  __device__ __forceinline__ unsigned* flag(int tile, int column) const {
    return flags + static_cast<std::int64_t>(tile) * columns + column;
  }
  __device__ __forceinline__ void post(int tile, int column, int sum, Kind kind) const {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(flag(tile, column)),
                 "r"(static_cast<unsigned>(kind) << 30 | static_cast<unsigned>(sum))
                 : "memory");
  }
  __device__ __forceinline__ unsigned peek(int tile, int column) const {
    unsigned value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag(tile, column)) : "memory");
    return value;
  }
};

// Publishes the tile's own sum of a column; call it as early as possible. `base` is added to the sum of tile
// 0 only.
__device__ __forceinline__ void post_column(const Columns& columns, int tile, int column, int sum, int base) {
  if (tile == 0)
    columns.post(tile, column, base + sum, of_all);
  else
    columns.post(tile, column, sum, of_tile);
}

// Returns the sum of the column over all preceding tiles, plus `base`. The same thread must have called
// post_column before.
__device__ __forceinline__ int sum_before_column(const Columns& columns, int tile, int column, int sum,
                                                 int base) {
  constexpr int window = 4;  // number of tiles whose descriptors are read at once
  if (tile == 0) return base;
  int before = 0, peeks = columns.poll_limit.peeks;
  bool complete = false;
  for (int other = tile - 1; !complete;) {
    unsigned flags[window];
#pragma unroll
    for (int w = 0; w < window; ++w)
      flags[w] = other < w ? static_cast<unsigned>(of_all) << 30 : columns.peek(other - w, column);
    bool there = true;
#pragma unroll
    for (int w = 0; w < window; ++w) {
      there = there && !complete && flags[w] != 0;
      if (!there) continue;
      before += static_cast<int>(flags[w] & Columns::sum_mask);
      complete = flags[w] >> 30 == of_all;
      --other;
    }
    if (complete || --peeks > 0) continue;
    columns.poll_limit.give_up();
    break;
  }
  columns.post(tile, column, before + sum, of_all);
  return before;
}

// Host side: allocates the device memory of a DescriptorArray.
class Tickets {
 public:
  Tickets() = default;
  ~Tickets() { cudaFree(memory_); }
  Tickets(const Tickets&) = delete;
  Tickets& operator=(const Tickets&) = delete;

  // Returns the bytes of device memory for `tiles` tiles whose values have `value_size` bytes.
  static std::int64_t bytes(std::int64_t tiles, std::size_t value_size) {
    return descriptors_at + tiles * 2 * static_cast<std::int64_t>(value_size);
  }

  // Allocates on the current device; the memory is initialized on return.
  cudaError_t make(std::int64_t tiles, std::size_t value_size) {
    const auto size = static_cast<std::size_t>(bytes(tiles, value_size));
    const unsigned long long first = 1ull << 32;  // first ticket: launch 1, tile 0
    cudaError_t error = flag_.make();
    if (error == cudaSuccess) error = cudaMalloc(&memory_, size);
    if (error == cudaSuccess) error = cudaMemset(memory_, 0, size);
    if (error == cudaSuccess) error = cudaMemcpy(memory_, &first, sizeof first, cudaMemcpyHostToDevice);
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
  }

  const char* failure() const { return flag_.failure(); }

  PollLimit poll_limit() const { return flag_.poll_limit(); }

  template <typename T>
  DescriptorArray<T> descriptors(int wait_ns = 0) const {
    auto* bytes = static_cast<unsigned char*>(memory_);
    return {reinterpret_cast<unsigned long long*>(bytes),
            reinterpret_cast<Descriptor<T>*>(bytes + descriptors_at), flag_.poll_limit(),
            static_cast<unsigned>(wait_ns)};
  }

 private:
  // Offset of the descriptors in bytes; the ticket has a cache line to itself.
  static constexpr std::int64_t descriptors_at = 128;
  WaitFlag flag_;
  void* memory_ = nullptr;
};

// Variant::prepare and Variant::release for a variant whose only state is a Tickets object.
inline const char* prepare_tickets(std::int64_t tiles, std::size_t value_size, void** state) {
  auto* tickets = new Tickets;
  if (tickets->make(tiles, value_size) == cudaSuccess) {
    *state = tickets;
    return nullptr;
  }
  delete tickets;
  cudaGetLastError();  // clears the error, so that no later check reports it
  return "no device memory for the tiles' sums";
}
inline void release_tickets(void* state) { delete static_cast<Tickets*>(state); }

}  // namespace sextant::lookback
