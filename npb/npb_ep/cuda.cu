#include <array>
#include <memory>

#include "ep.hpp"
#include "rank_result.hpp"
#include "streams_launch.cuh"
#include "suite/tunables.hpp"
#include "toolbox/cuda/gpu_mail.hpp"
#include "toolbox/cuda/peers.cuh"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/share.hpp"

namespace sextant {
namespace {

using namespace ep;

std::int64_t workspace(const Problem&, const Blocks& blocks) { return streams_workspace(blocks) + 4096; }

namespace batches {

struct Batches {
  int block_size = 128, batch_log2 = 16;
};

constexpr int buffer_pairs = 128;

// The published form: a thread takes one batch of 2^batch_log2 pairs and works through it in chunks, as the
// reference program's loop does. A chunk's random numbers go to a buffer in the thread's local memory, the
// counts of the annuli to an array there, the sums to registers; in the end the thread adds all of them to
// the results by atomic operations.
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

// Pairs cut into as many parts as there are ranks with a GPU each, which adds up its own as `streams` does; the 15 numbers go
// to the host, and one reduction brings every rank those of all.
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
  gpu_ranks::PinnedMemory own;  // the same, on the host
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
      "ranks with a GPU and a part of the pairs each, added up as streams does; one reduction to all";
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

// Pairs cut into as many parts as there are GPUs, each of which adds up its own as `streams` does; then every part reads the
// 15 numbers of all others out of their memory and adds them up in the order of the parts.
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
  peers::PartMemory own, joint;  // sums and counts
  std::array<State*, parts::most_of_a_team> states = {};
};

// One block.
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

// There are no inputs; what is poisoned is so in all copies.
void scatter(const Call& call) {
  const parts::Team& team = parts::team_of(call);
  const auto joint = static_cast<const Parts*>(call.state)->joint.of<double>();
  for (int part = 0; part < team.parts; ++part)
    team.memory->fill(team, part, joint[part], 0xFF, result_count * std::int64_t{sizeof(double)});
}

// The last part's copy: all are to have it.
void gather(const Call& call) {
  const parts::Team& team = parts::team_of(call);
  const int last = team.parts - 1;
  const double* const joint = static_cast<const Parts*>(call.state)->joint.of<double>()[last];
  team.memory->read(team, last, call.array<double>(0), joint, sum_count * std::int64_t{sizeof(double)});
  team.memory->read(team, last, call.array<double>(1), joint + sum_count,
                    ring_count * std::int64_t{sizeof(double)});
}

const char* refuse(const Problem& problem, const Blocks& blocks) {
  if (problem.extents.x < problem.parts) return "fewer pairs than parts: take fewer parts, or more pairs";
  return refuse_streams(share_of(problem.extents.x, problem.parts, 0).count, blocks);
}

Variant form() {
  Variant variant;
  variant.memory_space = MemorySpace::partitioned;
  variant.description =
      "GPUs with a part of the pairs each, added up as streams does; each reads the sums of all";
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
           "the published form: a thread a batch of 2^16 pairs, numbers and counts in local memory",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<batches::Batches>({{"block_size", &batches::Batches::block_size, {32, 64, 128, 256, 512}},
                                       {"batch_log2", &batches::Batches::batch_log2, {8, 10, 12, 14, 16}}}),
       .launch = {.float64 = batches::launch},
       .constraint = by_name<batches::constraint>},
      named("mpi_staged", mpi_staged::form()),
      {.name = "streams",
       .description = "a stream a thread, all in registers: logarithm by table, one reciprocal root",
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
