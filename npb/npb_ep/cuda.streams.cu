#include <algorithm>
#include <bit>

#include "streams.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace ep;

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
constexpr std::int64_t most_shared_bytes = 220 * 1024;
constexpr int most_resident_threads = 2048;
constexpr std::int64_t least_multiprocessors = 8, most_multiprocessors = 256;  // of the devices in question

constexpr std::int64_t least_pairs = 16;  // a thread; fewer do not pay for its jump
constexpr int entry_log2 = 4;             // bytes of a LogEntry

int copies_log2(const Blocks& blocks) { return std::countr_zero(static_cast<unsigned>(blocks.table_copies)); }

std::int64_t table_bytes(const Blocks& blocks) {
  return (std::int64_t{table_binades} << blocks.table_bits) * static_cast<std::int64_t>(sizeof(LogEntry));
}

std::int64_t shared_bytes(const Blocks& blocks) { return table_bytes(blocks) * blocks.table_copies; }

template <typename Function>
void with_kernel(const Blocks& blocks, Function&& function) {
  TableBits::with(blocks.table_bits, [&]<int bits>() {
    Unrolls::with(blocks.unroll, [&]<int unroll>() { function(streams<bits, unroll>); });
  });
}

// Per call: device memory, and what the launch needs to know of the device.
struct State {
  LogEntry* table = nullptr;
  double* partials = nullptr;
  unsigned* arrived = nullptr;
  int multiprocessors = 1;
};

Stretch stretch_for(std::int64_t pairs, int multiprocessors, const Blocks& blocks) {
  const std::int64_t at_once =
      std::int64_t{multiprocessors} * blocks.blocks_per_multiprocessor * blocks.block_size;
  const int bits = blocks.table_bits, copies = copies_log2(blocks);
  Stretch stretch{};
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

void launch(const Call& call) {
  const auto blocks = call.tuned<Blocks>();
  const auto& state = *static_cast<const State*>(call.state);
  const Stretch stretch = stretch_for(call.problem.extents.x, state.multiprocessors, blocks);
  const std::int64_t threads = (stretch.pairs + stretch.pairs_a_thread - 1) / stretch.pairs_a_thread;
  with_kernel(blocks, [&](auto* kernel) {
    kernel<<<blocks_for(threads, blocks.block_size), blocks.block_size,
             static_cast<std::size_t>(shared_bytes(blocks)), stream_of(call)>>>(
        stretch, state.table, state.partials, state.arrived, call.array<double>(0), call.array<double>(1));
  });
}

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  cudaFree(mine->table);
  cudaFree(mine->partials);
  cudaFree(mine->arrived);
  delete mine;
}

bool allocate(const Blocks& blocks, State* state) {
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

bool allow_shared_memory(const Blocks& blocks) {
  bool allowed = false;
  with_kernel(blocks, [&](auto* kernel) {
    allowed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(shared_bytes(blocks))) == cudaSuccess;
  });
  return allowed;
}

const char* prepare(const Call& call, void** state) {
  const auto blocks = call.tuned<Blocks>();
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
  release(mine);
  return allocated ? "the device has too little shared memory for this table"
                   : "no device memory for partial sums";
}

const char* constraint(const Problem& problem, const Blocks& blocks) {
  const int resident = blocks.blocks_per_multiprocessor;
  // Blocks that do not fit at the same time would run one after another.
  if (resident * shared_bytes(blocks) > most_shared_bytes)
    return "more than 220 KiB of shared memory for the blocks of a multiprocessor";
  if (resident * blocks.block_size > most_resident_threads) return "more than 2048 threads a multiprocessor";
  // A thread counts in 31 bits.
  if (problem.extents.x / (least_multiprocessors * resident * blocks.block_size) >= INT32_MAX)
    return "more than 2^31 pairs a thread";
  return nullptr;
}

std::int64_t workspace(const Problem&, const Blocks& blocks) {
  return most_multiprocessors * blocks.blocks_per_multiprocessor * partial_values *
             static_cast<std::int64_t>(sizeof(double)) +
         table_bytes(blocks);
}

}  // namespace

Variant npb_ep_cuda_streams() {
  Variant variant;
  variant.description = "a stream a thread, all in registers: logarithm by table, one reciprocal root";
  variant.home = Home::cuda;
  variant.tunables = tunables<Blocks>(
      {{"block_size", &Blocks::block_size, {128, 256, 512, 1024}},
       {"blocks_per_multiprocessor", &Blocks::blocks_per_multiprocessor, {1, 2, 3, 4, 5, 6, 8}},
       {"table_bits", &Blocks::table_bits, TableBits::list()},
       {"table_copies", &Blocks::table_copies, {1, 2, 4, 8}},
       {"unroll", &Blocks::unroll, Unrolls::list()}});
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<constraint>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = release;
  return variant;
}

}  // namespace sextant
