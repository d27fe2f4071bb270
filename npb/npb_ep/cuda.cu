#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "ep.hpp"
#include "rank_result.hpp"
#include "streams.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/gpu_mail.hpp"
#include "toolbox/cuda/peers.cuh"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/share.hpp"

// Launches the kernel `streams` on one GPU for a range of pairs. This code has internal linkage, because each
// file compiles its own instances of the kernel: the shared-memory attribute must be set on the instance that
// is launched.
namespace sextant::ep {
namespace {

struct Blocks {
  int block_size = 1024, blocks_per_multiprocessor = 1;
  // log2 of the logarithm table's size, and number of its copies in shared memory.
  int table_bits = 6, table_copies = 8;
  int unroll = 4;  // pairs per loop iteration
};

using TableBits = Choices<5, 6, 7>;
using Unrolls = Choices<1, 2, 4>;

// Limits that are checked without a device (CUDA C++ Programming Guide, technical specifications by compute
// capability). Compute capability 9.0 has 228 KiB of shared memory; each block also takes 1 KiB and some
// static memory.
inline constexpr std::int64_t most_shared_bytes = 220 * 1024;
inline constexpr int most_resident_threads = 2048;
inline constexpr std::int64_t least_multiprocessors = 8,
                              // Maximum number of multiprocessors of the supported devices.
    most_multiprocessors = 256;

// Minimum number of pairs per thread. With fewer, computing the thread's starting state takes too long.
inline constexpr std::int64_t least_pairs = 16;
inline constexpr int entry_log2 = 4;  // log2 of the bytes of a LogEntry

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

// Device memory on the current GPU, and its number of multiprocessors.
struct State {
  LogEntry* table = nullptr;
  double* partials = nullptr;
  unsigned* arrived = nullptr;
  int multiprocessors = 1;
};

// Returns the launch parameters for pairs first … first + pairs - 1.
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

// Allocates the state on the current GPU. Returns null, or the reason for a failure.
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
  cudaGetLastError();  // clears the error, so that a later check does not report it
  release_state(mine);
  return allocated ? "the GPU has too little shared memory for this table"
                   : "no device memory for partial sums";
}

// Launches the kernel that adds pairs first … first + pairs - 1 to `sums` and `counts`.
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
  // Blocks that are not all resident would run one after another.
  if (resident * shared_bytes(blocks) > most_shared_bytes)
    return "the blocks of a multiprocessor need more than 220 KiB of shared memory";
  if (resident * blocks.block_size > most_resident_threads)
    return "more than 2048 threads per multiprocessor";
  // A thread counts its pairs in 31 bits.
  if (pairs > INT32_MAX * least_multiprocessors * resident * blocks.block_size)
    return "2^31 or more pairs per thread";
  return nullptr;
}

inline std::int64_t streams_workspace(const Blocks& blocks) {
  return most_multiprocessors * blocks.blocks_per_multiprocessor * partial_values *
             static_cast<std::int64_t>(sizeof(double)) +
         table_bytes(blocks);
}

// Returns the tunables that correspond to the members of Blocks.
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

namespace sextant {
namespace {

using namespace ep;

std::int64_t workspace(const Problem&, const Blocks& blocks) { return streams_workspace(blocks) + 4096; }

namespace batches {

struct Batches {
  int block_size = 128, batch_log2 = 16;
};

constexpr int buffer_pairs = 128;

// The published version: one thread per batch of 2^batch_log2 pairs, processed in chunks like the reference
// program's loop. Random numbers and ring counts are in local memory, sums in registers. At the end each
// thread adds its values to the results by atomic operations.
__global__ void npb_ep_batches(std::int64_t pairs, int batch_log2, double* sums, double* counts) {
  const std::int64_t batch = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t first = batch << batch_log2;
  if (first >= pairs) return;
  const std::int64_t end = min(pairs, first + (std::int64_t{1} << batch_log2));
  double numbers[2 * buffer_pairs], rings[ring_count] = {};
  double sx = 0, sy = 0, abs_sx = 0, abs_sy = 0, accepted = 0;
  std::uint64_t state = state_before(first);
  for (std::int64_t begin = first; begin < end; begin += buffer_pairs) {
    const int count = static_cast<int>(min(static_cast<std::int64_t>(buffer_pairs), end - begin));
    for (int i = 0; i < 2 * count; ++i) {
      state = npb::random_next(state);
      numbers[i] = npb::random_value(state);
    }
    for (int i = 0; i < count; ++i) {
      const double x = 2 * numbers[2 * i] - 1, y = 2 * numbers[2 * i + 1] - 1;
      const double t = x * x + y * y;
      if (t > 1) continue;
      const double f = sqrt(-2 * log(t) / t);
      const double X = x * f, Y = y * f;
      rings[static_cast<int>(fmax(fabs(X), fabs(Y)))] += 1;
      accepted += 1;
      sx += X, sy += Y, abs_sx += fabs(X), abs_sy += fabs(Y);
    }
  }
  const double mine[sum_count] = {sx, sy, abs_sx, abs_sy, accepted};
  for (int i = 0; i < sum_count; ++i) atomicAdd(&sums[i], mine[i]);
  for (int l = 0; l < ring_count; ++l)
    if (rings[l] > 0) atomicAdd(&counts[l], rings[l]);
}

void launch(const Call& call) {
  const std::int64_t pairs = call.problem.extents.x;
  const auto [block_size, batch_log2] = call.tuned<Batches>();
  const std::int64_t batches = (pairs + (std::int64_t{1} << batch_log2) - 1) >> batch_log2;
  cudaMemsetAsync(call.array<double>(0), 0, sum_count * sizeof(double), stream_of(call));
  cudaMemsetAsync(call.array<double>(1), 0, ring_count * sizeof(double), stream_of(call));
  npb_ep_batches<<<blocks_for(batches, block_size), block_size, 0, stream_of(call)>>>(
      pairs, batch_log2, call.array<double>(0), call.array<double>(1));
}

const char* constraint(const Problem& problem, const Batches& batches) {
  const bool fits = problem.extents.x >> batches.batch_log2 <= std::int64_t{1} << 30;
  return fits ? nullptr : "more than 2^30 batches";
}

}  // namespace batches

// MPI variant with one GPU per rank. Each rank processes an equal number of pairs as `streams` does. Its 15
// result numbers are copied to the host, and one all-reduce adds those of all ranks.
namespace mpi_staged {

struct Part : RankResult {
  explicit Part(const parts::GpuRank& its_rank) : rank(its_rank) {}
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() {
    if (state) release_state(state);
    if (on_gpu) rank.memory->release(rank, 0, on_gpu);
  }
  const parts::GpuRank& rank;
  State* state = nullptr;
  RankResult* on_gpu = nullptr;
  gpu_ranks::PinnedMemory own;  // the rank's RankResult in page-locked host memory
};

void launch(const Call& call) {
  auto& part = *static_cast<Part*>(call.state);
  const cudaStream_t stream = gpu_ranks::stream_of(part.rank);
  if (call.parts.what != parts::Do::exchange) {
    const Share share = share_of(call.problem.extents.x, part.rank.size, part.rank.rank);
    launch_streams(call.tuned<Blocks>(), *part.state, share.first, share.count, part.on_gpu->sums,
                   part.on_gpu->counts, stream);
    cudaMemcpyAsync(part.own.data<void>(), part.on_gpu, sizeof(RankResult), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
  }
  RankResult& result = part;
  result = *part.own.data<RankResult>();
  if (call.parts.what != parts::Do::compute) add_all(part.rank, &result);
}

const char* prepare(const Call& call, void** state) {
  const parts::GpuRank& rank = parts::gpu_rank_of(call);
  auto part = std::make_unique<Part>(rank);
  part->on_gpu = static_cast<RankResult*>(rank.memory->allocate(rank, 0, sizeof(RankResult)));
  if (!part->on_gpu || !part->own.allocate(sizeof(RankResult))) return "no memory for the sums";
  *part->own.data<RankResult>() = {};
  if (const char* reason = make_state(call.tuned<Blocks>(), &part->state)) return reason;
  *state = part.release();
  return nullptr;
}

const char* refuse(const Problem& problem, const Blocks& blocks) {
  if (const char* reason = why_too_few(problem)) return reason;
  return refuse_streams(share_of(problem.extents.x, problem.parts, 0).count, blocks);
}

Variant form() {
  Variant variant;
  complete_result<Part>(variant);
  variant.description =
      "MPI ranks with one GPU each; pairs divided evenly and processed as in `streams`; one all-reduce";
  variant.tunables = streams_tunables();
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  return variant;
}

}  // namespace mpi_staged

namespace streams {

void launch(const Call& call) {
  launch_streams(call.tuned<Blocks>(), *static_cast<const State*>(call.state), 0, call.problem.extents.x,
                 call.array<double>(0), call.array<double>(1), stream_of(call));
}

const char* prepare(const Call& call, void** state) {
  State* made = nullptr;
  const char* reason = make_state(call.tuned<Blocks>(), &made);
  *state = made;
  return reason;
}

const char* constraint(const Problem& problem, const Blocks& blocks) {
  return refuse_streams(problem.extents.x, blocks);
}

std::int64_t workspace(const Problem&, const Blocks& blocks) { return streams_workspace(blocks); }

}  // namespace streams

// Variant for several GPUs of one process. Each GPU processes an equal number of pairs as `streams` does.
// Then each GPU reads the 15 result numbers of all others from their memory and adds them in a fixed order.
namespace team {

constexpr int result_count = sum_count + ring_count;

struct Parts {
  explicit Parts(const parts::Team& team) : meetings(team), own(team), joint(team) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    for (State* state : states)
      if (state) release_state(state);
  }
  peers::Meetings meetings;
  peers::PartMemory own, joint;  // sums and counts of each GPU, and of all GPUs together
  std::array<State*, parts::most_of_a_team> states = {};
};

// Adds the results of all GPUs. Runs on each GPU with one block.
__global__ void add_parts(peers::Of<const double> own, double* joint, peers::Meeting meeting) {
  peers::begin_together(meeting);
  const int i = static_cast<int>(threadIdx.x);
  if (i < result_count) {
    double sum = 0;
    for (int part = 0; part < meeting.parts; ++part) sum += own[part][i];
    joint[i] = sum;
  }
  peers::end_together(meeting);
}

void launch(const Call& call) {
  auto& parts = *static_cast<Parts*>(call.state);
  const parts::Team& team = parts::team_of(call);
  const auto own = parts.own.of<double>(), joint = parts.joint.of<double>();
  peers::Of<const double> read;
  for (int part = 0; part < team.parts; ++part) read.at[part] = own[part];
  parts.meetings.next_round();
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    const Share share = share_of(call.problem.extents.x, team.parts, part);
    if (call.parts.what != parts::Do::exchange)
      launch_streams(call.tuned<Blocks>(), *parts.states[static_cast<std::size_t>(part)], share.first,
                     share.count, own[part], own[part] + sum_count, stream);
    if (call.parts.what != parts::Do::compute)
      add_parts<<<1, 32, 0, stream>>>(read, joint[part], parts.meetings.of(part));
  });
}

const char* prepare(const Call& call, void** state) {
  const parts::Team& team = parts::team_of(call);
  if (!team.reaches_all) return peers::out_of_reach;
  auto parts = std::make_unique<Parts>(team);
  constexpr std::int64_t bytes = result_count * std::int64_t{sizeof(double)};
  if (!parts->own.allocate(bytes) || !parts->joint.allocate(bytes)) return "no device memory for the sums";
  if (const char* reason = parts->meetings.make(team)) return reason;
  const char* reason = nullptr;
  peers::for_parts(team, [&](int part, cudaStream_t) {
    if (!reason) reason = make_state(call.tuned<Blocks>(), &parts->states[static_cast<std::size_t>(part)]);
  });
  if (reason) return reason;
  peers::load_everywhere(team, add_parts);
  *state = parts.release();
  return nullptr;
}

// Fills each GPU's copy of the result with invalid values. The problem has no inputs to distribute.
void scatter(const Call& call) {
  const parts::Team& team = parts::team_of(call);
  const auto joint = static_cast<const Parts*>(call.state)->joint.of<double>();
  for (int part = 0; part < team.parts; ++part)
    team.memory->fill(team, part, joint[part], 0xFF, result_count * std::int64_t{sizeof(double)});
}

// Reads the last GPU's copy of the result, which shows that the exchange reached all GPUs.
void gather(const Call& call) {
  const parts::Team& team = parts::team_of(call);
  const int last = team.parts - 1;
  const double* const joint = static_cast<const Parts*>(call.state)->joint.of<double>()[last];
  team.memory->read(team, last, call.array<double>(0), joint, sum_count * std::int64_t{sizeof(double)});
  team.memory->read(team, last, call.array<double>(1), joint + sum_count,
                    ring_count * std::int64_t{sizeof(double)});
}

const char* refuse(const Problem& problem, const Blocks& blocks) {
  if (problem.extents.x < problem.parts)
    return "fewer pairs than partitions: choose fewer partitions, or more pairs";
  return refuse_streams(share_of(problem.extents.x, problem.parts, 0).count, blocks);
}

Variant form() {
  Variant variant;
  variant.memory_space = MemorySpace::partitioned;
  variant.description =
      "pairs divided evenly over GPUs and processed as in `streams`; each GPU adds all GPUs' sums";
  variant.tunables = streams_tunables();
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Parts*>(state); };
  variant.parts.scatter = scatter;
  variant.parts.gather = gather;
  variant.parts.separable = true;
  return variant;
}

}  // namespace team

}  // namespace

std::vector<Variant> npb_ep_cuda() {
  return {
      {.name = "batches",
       .description =
           "the published form: one batch of pairs per thread; random numbers and counts in local memory",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<batches::Batches>({{"block_size", &batches::Batches::block_size, {32, 64, 128, 256, 512}},
                                       {"batch_log2", &batches::Batches::batch_log2, {8, 10, 12, 14, 16}}}),
       .launch = {.float64 = batches::launch},
       .constraint = by_name<batches::constraint>},
      named("mpi_staged", mpi_staged::form()),
      {.name = "streams",
       .description = "one range of the random sequence per thread, in registers; logarithm by table",
       .memory_space = MemorySpace::cuda,
       .tunables = streams_tunables(),
       .launch = {.float64 = streams::launch},
       .constraint = by_name<streams::constraint>,
       .prepare = streams::prepare,
       .release = [](void* state) { release_state(static_cast<State*>(state)); },
       .workspace = by_name<streams::workspace>},
      named("team", team::form()),
  };
}

}  // namespace sextant
