// Pairs cut into as many parts as there are GPUs, each of which adds up its own as `streams` does; then every part reads the
// 15 numbers of all others out of their memory and adds them up in the order of the parts.
#include <array>
#include <memory>

#include "streams_launch.cuh"
#include "toolbox/cuda/peers.cuh"
#include "toolbox/share.hpp"

namespace sextant {
namespace {

using namespace ep;

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
    if (call.what != parts::Do::exchange)
      launch_streams(call.tuned<Blocks>(), *parts.states[static_cast<std::size_t>(part)], share.first,
                     share.count, own[part], own[part] + sum_count, stream);
    if (call.what != parts::Do::compute)
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

std::int64_t workspace(const Problem&, const Blocks& blocks) { return streams_workspace(blocks) + 4096; }

}  // namespace

Variant npb_ep_cuda_team() {
  Variant variant;
  variant.home = Home::ranks;
  variant.description =
      "GPUs with a part of the pairs each, added up as streams does; each reads the sums of all";
  variant.tunables = streams_tunables();
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Parts*>(state); };
  variant.scatter = scatter;
  variant.gather = gather;
  variant.separable = true;
  return variant;
}

}  // namespace sextant
