#include <algorithm>

#include "streams.cuh"
#include "suite/choices.hpp"

namespace sextant {
namespace {

using namespace ep;

using TableBits = Choices<5, 6, 7>;
using Unrolls = Choices<1, 2, 4>;

// Per call: device memory, and what the launch needs to know of the device.
struct State {
  LogEntry* table = nullptr;
  double* partials = nullptr;
  unsigned* arrived = nullptr;
  int multiprocessors = 1;
};

struct Tuning {
  int block, blocks_a_multiprocessor, bits, copies, unroll;
  explicit Tuning(const int* t)
      : block(t[0]), blocks_a_multiprocessor(t[1]), bits(t[2]), copies(t[3]), unroll(t[4]) {}
  int copies_log2() const { return copies == 8 ? 3 : copies == 4 ? 2 : copies == 2 ? 1 : 0; }
  std::int64_t shared_bytes() const {
    return (std::int64_t{table_binades} << bits) * copies * static_cast<std::int64_t>(sizeof(LogEntry));
  }
};

// Fewer pairs a thread than this do not pay for its jump.
constexpr std::int64_t least_pairs = 16;
constexpr int entry_log2 = 4;  // bytes of a LogEntry

template <typename Function>
void with_kernel(const Tuning& tuning, Function&& function) {
  TableBits::with(tuning.bits, [&]<int bits>() {
    Unrolls::with(tuning.unroll, [&]<int unroll>() { function(streams<bits, unroll>); });
  });
}

void launch(const Call& call) {
  const Tuning tuning(call.tuning);
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t pairs = call.problem.extents.x;
  const std::int64_t most =
      std::int64_t{state.multiprocessors} * tuning.blocks_a_multiprocessor * tuning.block;
  Stretch stretch{};
  stretch.pairs = pairs;
  stretch.pairs_a_thread = std::max(least_pairs, (pairs + most - 1) / most);
  stretch.polynomial = log_polynomial(tuning.bits);
  stretch.copies_log2 = tuning.copies_log2();
  stretch.shift = static_cast<unsigned>(20 - tuning.bits - entry_log2 - tuning.copies_log2());
  stretch.mask = ((unsigned{table_binades} << tuning.bits) - 1) << (entry_log2 + tuning.copies_log2());
  stretch.multiplier = static_cast<std::uint32_t>(npb::random_multiplier);
  stretch.exponent_of_2 = 0x40000000;
  const std::int64_t threads = (pairs + stretch.pairs_a_thread - 1) / stretch.pairs_a_thread;
  stretch.jumps[0] = npb::random_jump(2 * static_cast<std::uint64_t>(stretch.pairs_a_thread));
  for (int i = 1; i < 32; ++i)
    stretch.jumps[i] = npb::random_product(stretch.jumps[i - 1], stretch.jumps[i - 1]);
  with_kernel(tuning, [&](auto* kernel) {
    kernel<<<blocks_for(threads, tuning.block), tuning.block, static_cast<std::size_t>(tuning.shared_bytes()),
             stream_of(call)>>>(stretch, state.table, state.partials, state.arrived, call.array<double>(0),
                                call.array<double>(1));
  });
}

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  cudaFree(mine->table);
  cudaFree(mine->partials);
  cudaFree(mine->arrived);
  delete mine;
}

const char* prepare(const Call& call, void** state) {
  const Tuning tuning(call.tuning);
  auto* mine = new State;
  int device = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&mine->multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const std::vector<LogEntry> table = log_table(tuning.bits);
  const std::size_t table_bytes = table.size() * sizeof(LogEntry);
  const std::size_t blocks = static_cast<std::size_t>(mine->multiprocessors) * tuning.blocks_a_multiprocessor;
  const bool there =
      cudaMalloc(&mine->table, table_bytes) == cudaSuccess &&
      cudaMalloc(&mine->partials, blocks * partial_length * sizeof(double)) == cudaSuccess &&
      cudaMalloc(&mine->arrived, sizeof(unsigned)) == cudaSuccess &&
      cudaMemcpy(mine->table, table.data(), table_bytes, cudaMemcpyHostToDevice) == cudaSuccess &&
      cudaMemset(mine->arrived, 0, sizeof(unsigned)) == cudaSuccess;
  bool shared = there;
  with_kernel(tuning, [&](auto* kernel) {
    if (there && tuning.shared_bytes() > 47 * 1024)  // some is static
      shared = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(tuning.shared_bytes())) == cudaSuccess;
  });
  if (shared) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // a failed call must not be found by a later check
  release(mine);
  return there ? "the device has too little shared memory for this table"
               : "no device memory for partial sums";
}

const char* constraint(const Problem& problem, const int* t) {
  const Tuning tuning(t);
  // Blocks that are not there at the same time would be worked through in rounds.
  if (tuning.blocks_a_multiprocessor * tuning.shared_bytes() > 220 * 1024)
    return "more than 220 KiB of shared memory for the blocks of a multiprocessor";
  if (tuning.blocks_a_multiprocessor * tuning.block > 2048) return "more than 2048 threads a multiprocessor";
  // A thread counts in 31 bits; no device in question has fewer than 8 multiprocessors.
  if (problem.extents.x / (8 * std::int64_t{tuning.blocks_a_multiprocessor} * tuning.block) >= INT32_MAX)
    return "more than 2^31 pairs a thread";
  return nullptr;
}

}  // namespace

Variant npb_ep_cuda_streams() {
  Variant variant;
  variant.description = "a stream a thread, all in registers: logarithm by table, one reciprocal root";
  variant.home = Home::cuda;
  variant.tunables = {{"block_size", {128, 256, 512, 1024}, 1024},
                      {"blocks_per_multiprocessor", {1, 2, 3, 4, 5, 6, 8}, 1},
                      {"table_bits", TableBits::list(), 6},
                      {"table_copies", {1, 2, 4, 8}, 8},
                      {"unroll", Unrolls::list(), 4}};
  variant.launch = {.float64 = launch};
  variant.constraint = constraint;
  variant.workspace = [](const Problem&, const int* tuning) {  // with up to 256 multiprocessors
    return 256 * std::int64_t{tuning[1]} * partial_length * 8 +
           (std::int64_t{table_binades} << tuning[2]) * 16;
  };
  variant.prepare = prepare;
  variant.release = release;
  return variant;
}

}  // namespace sextant
