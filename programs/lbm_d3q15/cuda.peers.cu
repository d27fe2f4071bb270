// Variant cuda.peers: the lattice is divided along z into slabs of whole planes, one per GPU. A step reads
// one lattice and writes another, as in `fused`. From the nearest plane of each neighbour it needs the five
// densities per node that move towards the slab.
// With push=1 there is no separate exchange. A step begins with the slab's outermost planes, whose blocks
// also store these densities in the neighbour's halo. They then raise a flag (toolbox/cuda/edges.cuh). The
// corresponding blocks of the neighbour's next step wait for it. Before the first step a kernel fills the
// halos and raises the same flag. All steps of a call are one graph per GPU.
// With push=0 a kernel stores the densities before every step; the GPUs synchronise before and after it.
#include <memory>
#include <utility>

#include "slab_step.cuh"
#include "toolbox/cuda/part_graphs.cuh"

namespace sextant {
namespace {

using namespace lbm_d3q15;

struct Shape : SlabShape {
  int push = 1;
};

struct State {
  explicit State(const Call& call)
      : team(parts::team_of(call)), meetings(team), sides(team, periodic(call.problem, 2)), slabs(team) {}
  const parts::Team& team;
  peers::Meetings meetings;
  peers::Sides sides;
  SlabMemory slabs;
  peers::PartGraphs of_all,
      // Graphs of a call with and without the exchange. They are recorded only if the number of steps is
      // even, because the lattices are otherwise swapped after the call.
      of_computing;
};

// Maximum number of steps in one CUDA graph. Calls with more steps launch the kernels without a graph.
constexpr std::int64_t most_recorded = 20'000;

// Stores the densities that leave the slab in the neighbours' halos. The lattice f has `nodes` nodes. The
// outermost planes have `plane` nodes each and begin at the indices `low` and `high`.
template <typename T>
__device__ __forceinline__ void store_leaving(std::int64_t plane, std::int64_t nodes, std::int64_t low,
                                              std::int64_t high, const T* f, const Leaving<T>& lower,
                                              const Leaving<T>& higher) {
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x,
                     stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = begin; i < plane; i += stride) {
#pragma unroll
    for (int k = 0; k < directions; ++k) {
      if (along(k, 2) < 0 && lower.to) lower.to[k * lower.nodes + low + i] = f[k * nodes + low + i];
      if (along(k, 2) > 0 && higher.to) higher.to[k * higher.nodes + high + i] = f[k * nodes + high + i];
    }
  }
}

template <typename T>
__global__ void store_halos(std::int64_t plane, std::int64_t nodes, std::int64_t low, std::int64_t high,
                            const T* f, Leaving<T> lower, Leaving<T> higher, peers::Meeting meeting) {
  peers::begin_together(meeting);
  store_leaving(plane, nodes, low, high, f, lower, higher);
  peers::end_together(meeting);
}

// Fills the neighbours' halos before the first step with push=1. It need not wait. When a slab has finished a
// call's last step, its neighbours have signalled that they no longer read these halos.
template <typename T>
__global__ void push_halos(std::int64_t plane, std::int64_t nodes, std::int64_t low, std::int64_t high,
                           const T* f, Leaving<T> lower, Leaving<T> higher, peers::Edges edges) {
  store_leaving(plane, nodes, low, high, f, lower, higher);
  peers::end_at_edges(edges, true, true);
}

// Returns the destination of the densities that leave slab number `part` towards a side. lattice(part) must
// return the lattice into which they are stored.
template <typename T, typename Lattice>
Leaving<T> leaving(const Call& call, int part, int side, Lattice lattice) {
  const Slab15 own = slab_of(call.problem, part);
  const int other = own.neighbour[side];
  if (other < 0) return {};
  const Slab15 there = slab_of(call.problem, other);
  const std::int64_t planes = side == 0 ? there.planes : -own.planes;  // from the slab's plane to the halo
  return {lattice(other) + planes * own.plane(), there.nodes()};
}

bool has_neighbours(const Call& call) {
  const Slab15 slab = slab_of(call.problem, 0);
  return slab.neighbour[0] >= 0 || slab.neighbour[1] >= 0;
}

constexpr int halo_block = 256, most_halo_blocks = 64;

unsigned halo_blocks(const Slab15& slab) {
  return std::min<unsigned>(most_halo_blocks, blocks_for(slab.plane(), halo_block));
}

template <typename T>
void exchange(const Call& call, State& state) {
  state.meetings.next_round();
  const auto now = [&](int part) { return state.slabs.now<T>(part); };
  peers::for_parts(state.team, [&](int part, cudaStream_t stream) {
    const Slab15 slab = slab_of(call.problem, part);
    store_halos<T><<<halo_blocks(slab), halo_block, 0, stream>>>(
        slab.plane(), slab.nodes(), slab.plane(), slab.planes * slab.plane(), now(part),
        leaving<T>(call, part, 0, now), leaving<T>(call, part, 1, now), state.meetings.of(part));
  });
}

// Returns the synchronisation flags (toolbox/cuda/edges.cuh) for a launch with `blocks` blocks at either end
// of the slab.
peers::Edges edges_of(const State& state, int part, bool waits, bool tells, unsigned blocks) {
  const PollLimit poll_limit = state.meetings.poll_limit(part);
  return {state.sides.edge(part, 0, waits, tells, blocks, poll_limit),
          state.sides.edge(part, 1, waits, tells, blocks, poll_limit)};
}

template <typename T>
void push(const Call& call, const State& state) {
  const auto now = [&](int part) { return state.slabs.now<T>(part); };
  peers::for_parts(state.team, [&](int part, cudaStream_t stream) {
    const Slab15 slab = slab_of(call.problem, part);
    const unsigned blocks = halo_blocks(slab);
    push_halos<T><<<blocks, halo_block, 0, stream>>>(
        slab.plane(), slab.nodes(), slab.plane(), slab.planes * slab.plane(), now(part),
        leaving<T>(call, part, 0, now), leaving<T>(call, part, 1, now),
        edges_of(state, part, false, true, blocks));
  });
}

// Launches one step on all GPUs. With `pushes` it also stores in the neighbours' halos. With `waits` it waits
// for the halos that the neighbours' previous step stored.
template <typename T>
void step(const Call& call, const State& state, bool downwards, bool pushes, bool waits) {
  const auto shape = call.tuned<Shape>();
  const auto next = [&](int part) { return state.slabs.next<T>(part); };
  peers::for_parts(state.team, [&](int part, cudaStream_t stream) {
    const Slab15 slab = slab_of(call.problem, part);
    const dim3 grid = grid_of(slab, shape);
    peers::Edges edges;
    Leaving<T> lower, higher;
    if (pushes || waits) edges = edges_of(state, part, waits, pushes, grid.x * grid.y);
    if (pushes) lower = leaving<T>(call, part, 0, next), higher = leaving<T>(call, part, 1, next);
    with_slab_step<T>(call.problem, shape.nodes_per_thread, [&]<int width, typename Index>() {
      slab_step<width, Index, T><<<grid, dim3(shape.block_x, shape.block_y), 0, stream>>>(
          static_cast<Index>(slab.box.x), static_cast<Index>(slab.box.y), static_cast<Index>(slab.box.z), 0,
          rates_of<T>(call.problem), downwards, state.slabs.map(part), state.slabs.now<T>(part), next(part),
          lower, higher, edges);
    });
  });
}

bool may_push(const Call& call, const State& state) {
  const auto shape = call.tuned<Shape>();
  const dim3 grid = grid_of(slab_of(call.problem, 0), shape);
  return shape.push && peers::edges_fit(state.team, std::int64_t{peers::sides} * grid.x * grid.y);
}

bool exchanges(const Call& call) { return call.parts.what != parts::Do::compute && has_neighbours(call); }

template <typename T>
void launch_steps(const Call& call, State& state) {
  const auto shape = call.tuned<Shape>();
  const bool computes = call.parts.what != parts::Do::exchange,
             pushing = computes && exchanges(call) && may_push(call, state);
  const std::int64_t steps = steps_of(call.problem);
  if (pushing) push<T>(call, state);
  for (std::int64_t t = 0; t < steps; ++t) {
    if (exchanges(call) && !pushing) exchange<T>(call, state);
    if (!computes) continue;
    step<T>(call, state, shape.alternate_direction && t % 2 == 1, pushing && t + 1 < steps, pushing);
    state.slabs.turned = !state.slabs.turned;
  }
}

template <typename T>
void launch(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  const peers::PartGraphs& graphs = call.parts.what == parts::Do::all ? state.of_all : state.of_computing;
  if (call.parts.what != parts::Do::exchange && graphs.is_there())
    graphs.launch(state.team);
  else
    launch_steps<T>(call, state);
}

// Records the graphs of a call. With push=0, exchanges cannot be recorded: the host gives each a new number.
// For an odd number of steps nothing is recorded, because the lattices have then swapped roles.
template <typename T>
void record(Call call, State& state) {
  const std::int64_t steps = steps_of(call.problem);
  if (steps % 2 == 1 || steps > most_recorded) return;
  for (const parts::Do what : {parts::Do::all, parts::Do::compute}) {
    call.parts.what = what;
    if (exchanges(call) && !may_push(call, state)) continue;
    (what == parts::Do::all ? state.of_all : state.of_computing).record(state.team, [&] {
      launch_steps<T>(call, state);
    });
  }
}

template <typename T>
void load_kernels(const Call& call, const parts::Team& team) {
  peers::load_everywhere(team, store_halos<T>);
  peers::load_everywhere(team, push_halos<T>);
  with_slab_step<T>(call.problem, call.tuned<Shape>().nodes_per_thread, [&]<int width, typename Index>() {
    peers::load_everywhere(team, slab_step<width, Index, T>);
  });
}

template <typename T>
const char* prepare(const Call& call, void** into) {
  const parts::Team& team = parts::team_of(call);
  if (!team.reaches_all) return peers::out_of_reach;
  if (const char* reason = refuse_flags(call.problem, call.array<const T>(1))) return reason;
  auto state = std::make_unique<State>(call);
  if (!state->slabs.allocate<T>(call.problem)) return "no device memory for a partition's planes";
  if (const char* reason = state->meetings.make(team)) return reason;
  if (!state->sides.make()) return "no device memory for synchronization flags";
  load_kernels<T>(call, team);
  record<T>(call, *state);
  *into = state.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> lbm_d3q15_cuda_peers() {
  Variant variant = team_variant<State, Shape>({"push", &Shape::push, {0, 1}});
  variant.name = "peers";
  variant.description =
      "one slab of planes per partition, updated by the kernel of fused; if push is 1, blocks of the "
      "outermost planes also store densities in the neighbours' halos";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.prepare = prepare_either<prepare<float>, prepare<double>>;
  variant.prepare_depends_on = DependsOn::structure;
  return {variant};
}

}  // namespace sextant
