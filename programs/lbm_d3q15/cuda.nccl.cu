// Variant cuda.nccl: the lattice is divided along z into slabs of whole planes, one per GPU, stepped as
// `fused` does, from one lattice to the other. From each neighbour's nearest plane a step needs the five
// densities per node that move towards the slab. NCCL transfers them; one group holds the sends and receives
// of all GPUs.
// With overlap_exchange=1 the messages travel while the planes that need no halo are updated. The outermost
// planes follow on a second stream. With overlap_exchange=0 the exchange comes first. Each GPU replays one
// CUDA graph per call, so that the host calls NCCL only while recording.
#include <array>
#include <memory>

#include "slab_step.cuh"
#include "toolbox/cuda/nccl.hpp"
#include "toolbox/cuda/part_graphs.cuh"

namespace sextant {
namespace {

using namespace lbm_d3q15;

// Maximum number of steps in one CUDA graph. Calls with more steps launch the kernels without a graph.
constexpr std::int64_t most_recorded = 1'000;

struct Shape : SlabShape {
  int overlap_exchange = 1;
};

// The second stream of one GPU, with high priority. It carries the messages and the updates of the outermost
// planes. Events are recorded after updates of the inner planes (one for even and one for odd steps) and of
// the outermost planes.
struct Part {
  Part() = default;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() {
    if (side) cudaStreamDestroy(side);
    for (const cudaEvent_t event : {inner[0], inner[1], outer})
      if (event) cudaEventDestroy(event);
  }
  void make() {
    int least = 0, most = 0;
    cudaDeviceGetStreamPriorityRange(&least, &most);
    cudaStreamCreateWithPriority(&side, cudaStreamNonBlocking, most);
    for (cudaEvent_t* event : {&inner[0], &inner[1], &outer})
      cudaEventCreateWithFlags(event, cudaEventDisableTiming);
  }
  cudaStream_t side = nullptr;
  cudaEvent_t inner[2] = {}, outer = nullptr;
};

struct State {
  explicit State(const Call& call) : team(parts::team_of(call)), slabs(team) {}
  const parts::Team& team;
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
  SlabMemory slabs;
  std::array<Part, parts::most_of_a_team> parts;
  std::array<peers::PartGraphs, 3> graphs;  // one set each to compute, exchange or both

  const Part& part(int number) const { return parts[static_cast<std::size_t>(number)]; }
  peers::PartGraphs& graphs_of(parts::Do what) { return graphs[static_cast<std::size_t>(what)]; }
};

bool overlaps_exchange(const Call& call, const State& state) {
  return call.tuned<Shape>().overlap_exchange && state.team.parts > 1;
}

// Sends the outermost planes of a slab. The messages towards one side are sent in the order in which the GPU
// on that side receives them. This also holds if one GPU is the neighbour on both sides.
template <typename T>
void send_planes(State& state, int part, const Slab15& slab, cudaStream_t stream) {
  const auto bytes = static_cast<std::size_t>(slab.plane()) * sizeof(T);
  const nccl::Functions& of = nccl::functions();
  const nccl::Communicator communicator = state.communicators[part];
  for (int side = 0; side < side_count; ++side)
    for (int which = 0; which < crossing_densities; ++which) {
      const int to = slab.neighbour[side], from = slab.neighbour[1 - side];
      if (to >= 0)
        state.said.hear(of.send(leaving_plane<T>(state.slabs, part, slab, side, which), bytes, nccl::of_bytes,
                                to, communicator, stream));
      if (from >= 0)
        state.said.hear(of.receive(arriving_plane<T>(state.slabs, part, slab, side, which), bytes,
                                   nccl::of_bytes, from, communicator, stream));
    }
}

// Exchanges the halos of all slabs. The calls for all GPUs form one NCCL group, which contains no other CUDA
// calls.
template <typename T>
void exchange(const Call& call, State& state) {
  if (call.parts.what == parts::Do::compute) return;
  const Slab15 first = slab_of(call.problem, 0);
  if (state.team.parts == 1) {
    if (first.neighbour[0] == 0) copy_around<T>(state.slabs, 0, first, peers::stream_of_part(state.team, 0));
    return;
  }
  nccl::functions().group_start();
  for (int part = 0; part < state.team.parts; ++part)
    send_planes<T>(
        state, part, slab_of(call.problem, part),
        overlaps_exchange(call, state) ? state.part(part).side : peers::stream_of_part(state.team, part));
  state.said.hear(nccl::functions().group_end());
}

template <typename T>
void update_of(const Call& call, const State& state, int part, std::int64_t first, std::int64_t planes,
               bool downwards, cudaStream_t stream) {
  update_planes<T>(call, call.tuned<Shape>(), state.slabs, part, slab_of(call.problem, part), first, planes,
                   downwards, stream);
}

// Launches one step with overlap. The inner planes wait for the outermost planes of the previous step.
template <typename T>
void step_overlapped(const Call& call, State& state, std::int64_t t, bool downwards) {
  const auto planes = [&](int part) { return slab_of(call.problem, part).planes; };
  const auto outermost = [&](int part) { return std::min<std::int64_t>(planes(part), 2); };
  exchange<T>(call, state);
  peers::for_parts(state.team, [&](int part, cudaStream_t stream) {
    const Part& own = state.part(part);
    cudaStreamWaitEvent(stream, own.outer);
    update_of<T>(call, state, part, outermost(part), planes(part) - outermost(part), downwards, stream);
    cudaEventRecord(own.inner[t % 2], stream);
    cudaStreamWaitEvent(own.side, own.inner[(t + 1) % 2]);
    update_of<T>(call, state, part, 0, outermost(part), downwards, own.side);
    cudaEventRecord(own.outer, own.side);
  });
}

template <typename T>
void launch_steps(const Call& call, State& state) {
  const bool overlaps = overlaps_exchange(call, state);
  if (overlaps)
    peers::for_parts(state.team,
                     // Makes both streams wait for work that is already on the GPU's main stream.
                     [&](int part, cudaStream_t stream) {
                       const Part& own = state.part(part);
                       for (const cudaEvent_t event : own.inner) cudaEventRecord(event, stream);
                       cudaStreamWaitEvent(own.side, own.inner[0]);
                       cudaEventRecord(own.outer, own.side);
                     });
  for (std::int64_t t = 0; t < steps_of(call.problem); ++t) {
    const bool downwards = call.tuned<Shape>().alternate_direction && t % 2 == 1;
    if (overlaps) {
      step_overlapped<T>(call, state, t, downwards);
    } else {
      exchange<T>(call, state);
      peers::for_parts(state.team, [&](int part, cudaStream_t stream) {
        update_of<T>(call, state, part, 0, slab_of(call.problem, part).planes, downwards, stream);
      });
    }
    state.slabs.turned = !state.slabs.turned;
  }
  if (overlaps)
    peers::for_parts(state.team, [&](int part, cudaStream_t stream) {
      cudaStreamWaitEvent(stream, state.part(part).outer);
    });
}

template <typename T>
void launch(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  const peers::PartGraphs& graphs = state.graphs_of(call.parts.what);
  graphs.is_there() ? graphs.launch(state.team) : launch_steps<T>(call, state);
}

// Records the graphs of a call. Records none for an odd number of steps, because the lattices have then
// swapped roles. Returns false if recording failed.
template <typename T>
bool record(Call call, State& state) {
  const std::int64_t steps = steps_of(call.problem);
  if (steps % 2 == 1 || steps > most_recorded) return true;
  bool recorded = true;
  for (const parts::Do what : {parts::Do::all, parts::Do::compute, parts::Do::exchange}) {
    call.parts.what = what;
    peers::PartGraphs& graphs = state.graphs_of(what);
    graphs.record(state.team, [&] { launch_steps<T>(call, state); });
    recorded = graphs.is_there() && recorded;
  }
  return recorded;
}

template <typename T>
const char* prepare(const Call& call, void** into) {
  const parts::Team& team = parts::team_of(call);
  if (const char* reason = refuse_flags(call.problem, call.array<const T>(1))) return reason;
  auto state = std::make_unique<State>(call);
  if (const char* reason = nccl::communicators_of(team, &state->communicators)) return reason;
  if (!state->slabs.allocate<T>(call.problem)) return "no device memory for a partition's planes";
  peers::for_parts(team,
                   [&](int part, cudaStream_t) { state->parts[static_cast<std::size_t>(part)].make(); });
  // Run one exchange now, because NCCL connects the GPUs at their first messages. That must not happen while
  // a graph is recorded.
  exchange<T>(call, *state);
  if (const char* reason = nccl::refusal(state->said, true, nccl::not_connected, nccl::peers_instead))
    return reason;
  const bool recorded = record<T>(call, *state);
  if (const char* reason = nccl::refusal(state->said, recorded, nccl::not_recorded, nccl::peers_instead))
    return reason;
  *into = state.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> lbm_d3q15_cuda_nccl() {
  Variant variant = team_variant<State, Shape>({"overlap_exchange", &Shape::overlap_exchange, {0, 1}});
  variant.name = "nccl";
  variant.description =
      "one slab of planes per partition, updated by the kernel of fused; NCCL sends halos, "
      "recorded as one graph per GPU";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.prepare = prepare_either<prepare<float>, prepare<double>>;
  variant.prepare_depends_on = DependsOn::structure;
  variant.unavailable = nccl::unavailable;
  return {variant};
}

}  // namespace sextant
