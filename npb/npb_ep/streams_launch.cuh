// How `streams` is launched on a GPU for a stretch of the pairs: its tunables, memory and limits. All of it is each file's own, as
// the kernels of a file are: what allows one its shared memory must name the one that is launched.
#pragma once

#include <algorithm>
#include <bit>

#include "streams.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant::ep {
namespace {

struct Blocks {
  int block_size = 1024, blocks_per_multiprocessor = 1;
  int table_bits = 6, table_copies = 8;  // of the logarithm's table in shared memory
  int unroll = 4;                        // pairs a turn of the loop
};

using TableBits = Choices<5, 6, 7>;
using Unrolls = Choices<1, 2, 4>;

// Limits of a multiprocessor where no device need be open (CUDA C++ Programming Guide, technical
// specifications by compute capability). Shared memory: the 228 KiB of compute capability 9.0, of which every
// block takes 1 KiB and some static memory besides.
inline constexpr std::int64_t most_shared_bytes = 220 * 1024;
inline constexpr int most_resident_threads = 2048;
inline constexpr std::int64_t least_multiprocessors = 8,
                              most_multiprocessors = 256;  // of the devices in question

inline constexpr std::int64_t least_pairs = 16;  // a thread; fewer do not pay for its jump
inline constexpr int entry_log2 = 4;             // bytes of a LogEntry

inline int copies_log2(const Blocks& blocks) {
  return std::countr_zero(static_cast<unsigned>(blocks.table_copies));
}

inline std::int64_t table_bytes(const Blocks& blocks) {
  return (std::int64_t{table_binades} << blocks.table_bits) * static_cast<std::int64_t>(sizeof(LogEntry));
}

inline std::int64_t shared_bytes(const Blocks& blocks) { return table_bytes(blocks) * blocks.table_copies; }

template <typename Function>
void with_kernel(const Blocks& blocks, Function&& function) {
  TableBits::with(blocks.table_bits, [&]<int bits>() {
    Unrolls::with(blocks.unroll, [&]<int unroll>() { function(streams<bits, unroll>); });
  });
}

// Of the current GPU: device memory, and what the launch needs to know of the device.
struct State {
  LogEntry* table = nullptr;
  double* partials = nullptr;
  unsigned* arrived = nullptr;
  int multiprocessors = 1;
};

// Of pairs [first, first + pairs).
inline Stretch stretch_for(std::int64_t first, std::int64_t pairs, int multiprocessors,
                           const Blocks& blocks) {
  const std::int64_t at_once =
      std::int64_t{multiprocessors} * blocks.blocks_per_multiprocessor * blocks.block_size;
  const int bits = blocks.table_bits, copies = copies_log2(blocks);
  Stretch stretch{};
  stretch.shifted = state_before(first) << 6;
  stretch.pairs = pairs;
  stretch.pairs_a_thread = std::max(least_pairs, (pairs + at_once - 1) / at_once);
  stretch.polynomial = log_polynomial(bits);
  stretch.copies_log2 = copies;
  stretch.shift = static_cast<unsigned>(20 - bits - entry_log2 - copies);
  stretch.mask = ((unsigned{table_binades} << bits) - 1) << (entry_log2 + copies);
  stretch.multiplier = static_cast<std::uint32_t>(npb::random_multiplier);
  stretch.exponent_of_2 = 0x40000000;
  stretch.jumps[0] = npb::random_jump(2 * static_cast<std::uint64_t>(stretch.pairs_a_thread));
  for (int i = 1; i < 32; ++i)
    stretch.jumps[i] = npb::random_product(stretch.jumps[i - 1], stretch.jumps[i - 1]);
  return stretch;
}

inline void release_state(State* mine) {
  cudaFree(mine->table);
  cudaFree(mine->partials);
  cudaFree(mine->arrived);
  delete mine;
}

inline bool allocate(const Blocks& blocks, State* state) {
  const std::vector<LogEntry> table = log_table(blocks.table_bits);
  const std::size_t bytes = table.size() * sizeof(LogEntry);
  const std::size_t most_blocks =
      static_cast<std::size_t>(state->multiprocessors) * blocks.blocks_per_multiprocessor;
  return cudaMalloc(&state->table, bytes) == cudaSuccess &&
         cudaMalloc(&state->partials, most_blocks * partial_values * sizeof(double)) == cudaSuccess &&
         cudaMalloc(&state->arrived, sizeof(unsigned)) == cudaSuccess &&
         cudaMemcpy(state->table, table.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess &&
         cudaMemset(state->arrived, 0, sizeof(unsigned)) == cudaSuccess;
}

inline bool allow_shared_memory(const Blocks& blocks) {
  bool allowed = false;
  with_kernel(blocks, [&](auto* kernel) {
    allowed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(shared_bytes(blocks))) == cudaSuccess;
  });
  return allowed;
}

// Null, or why there is none.
inline const char* make_state(const Blocks& blocks, State** state) {
  auto* mine = new State;
  int device = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&mine->multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const bool allocated = allocate(blocks, mine);
  if (allocated && allow_shared_memory(blocks)) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // a failed call must not be found by a later check
  release_state(mine);
  return allocated ? "the device has too little shared memory for this table"
                   : "no device memory for partial sums";
}

// Adds up pairs [first, first + pairs) into sums and counts.
inline void launch_streams(const Blocks& blocks, const State& state, std::int64_t first, std::int64_t pairs,
                           double* sums, double* counts, cudaStream_t stream) {
  const Stretch stretch = stretch_for(first, pairs, state.multiprocessors, blocks);
  const std::int64_t threads = (stretch.pairs + stretch.pairs_a_thread - 1) / stretch.pairs_a_thread;
  with_kernel(blocks, [&](auto* kernel) {
    kernel<<<blocks_for(threads, blocks.block_size), blocks.block_size,
             static_cast<std::size_t>(shared_bytes(blocks)), stream>>>(stretch, state.table, state.partials,
                                                                       state.arrived, sums, counts);
  });
}

inline const char* refuse_streams(std::int64_t pairs, const Blocks& blocks) {
  const int resident = blocks.blocks_per_multiprocessor;
  // Blocks that do not fit at the same time would run one after another.
  if (resident * shared_bytes(blocks) > most_shared_bytes)
    return "more than 220 KiB of shared memory for the blocks of a multiprocessor";
  if (resident * blocks.block_size > most_resident_threads) return "more than 2048 threads a multiprocessor";
  // A thread counts in 31 bits.
  if (pairs / (least_multiprocessors * resident * blocks.block_size) >= INT32_MAX)
    return "more than 2^31 pairs a thread";
  return nullptr;
}

inline std::int64_t streams_workspace(const Blocks& blocks) {
  return most_multiprocessors * blocks.blocks_per_multiprocessor * partial_values *
             static_cast<std::int64_t>(sizeof(double)) +
         table_bytes(blocks);
}

// The tunables of a struct that is Blocks.
inline std::vector<Tunable> streams_tunables() {
  return tunables<Blocks>(
      {{"block_size", &Blocks::block_size, {128, 256, 512, 1024}},
       {"blocks_per_multiprocessor", &Blocks::blocks_per_multiprocessor, {1, 2, 3, 4, 5, 6, 8}},
       {"table_bits", &Blocks::table_bits, TableBits::list()},
       {"table_copies", &Blocks::table_copies, {1, 2, 4, 8}},
       {"unroll", &Blocks::unroll, Unrolls::list()}});
}

}  // namespace
}  // namespace sextant::ep
