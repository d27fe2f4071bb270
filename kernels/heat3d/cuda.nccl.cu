// Variant cuda.nccl: the box is divided along z into slabs of whole planes, one per GPU, each swept as
// `march` does. Before a step, NCCL transfers R planes from each neighbour; one group holds the sends and
// receives of all GPUs. With overlap_exchange=1 the exchange runs on a second stream, followed by the R
// outermost planes on each side. The planes that need no halo are swept meanwhile.
// Each GPU replays one CUDA graph per call, so that the host calls NCCL only while recording.
#include <array>
#include <memory>

#include "slab_march.cuh"
#include "toolbox/cuda/nccl.hpp"
#include "toolbox/cuda/part_graphs.cuh"

namespace sextant {
namespace {

using heat3d::SlabMarch;
using heat3d::SlabShape;
using heat3d::SlabStep;

// Maximum number of steps in one CUDA graph. Calls with more steps launch the kernels without a graph.
constexpr std::int64_t most_recorded = 1'000;

struct Heat : heat3d::TeamFields {
  explicit Heat(const parts::Team& its_team) : team(its_team) {}
  const parts::Team& team;
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
  std::array<SlabMarch, parts::most_of_a_team> parts;
  std::array<peers::PartGraphs, 3> graphs;  // one set each to compute, exchange or both

  SlabMarch& part(int number) { return parts[static_cast<std::size_t>(number)]; }
  peers::PartGraphs& graphs_of(parts::Do what) { return graphs[static_cast<std::size_t>(what)]; }
};

bool overlaps_exchange(const Call& call, const Heat& heat) {
  return call.tuned<SlabShape>().overlap_exchange && heat.team.parts > 1;
}

// Sends each slab's outermost planes to its neighbours and receives its halos. The calls for all GPUs form
// one NCCL group, which contains no other CUDA calls.
void exchange(const Call& call, Heat& heat, const TeamSlab& slab) {
  if (call.parts.what == parts::Do::compute || heat.team.parts == 1) return;
  const std::int64_t plane = heat3d::plane_bytes(call.problem);
  const auto bytes = static_cast<std::size_t>(heat3d::radius_of(call.problem) * plane);
  const nccl::Functions& of = nccl::functions();
  of.group_start();
  for (int part = 0; part < heat.team.parts; ++part) {
    const cudaStream_t stream =
        overlaps_exchange(call, heat) ? heat.part(part).side : peers::stream_of_part(heat.team, part);
    const auto with = [&](int other, const char* own, char* halo) {
      heat.said.hear(of.send(own, bytes, nccl::of_bytes, other, heat.communicators[part], stream));
      heat.said.hear(of.receive(halo, bytes, nccl::of_bytes, other, heat.communicators[part], stream));
    };
    char* const first = slab.data<char>(part);
    char* const own = first + slab.below(part) * plane;
    char* const end = own + slab.own(part).count * plane;
    if (slab.below(part) > 0) with(part - 1, own, first);
    if (slab.above(part) > 0) with(part + 1, end - bytes, end);
  }
  heat.said.hear(of.group_end());
}

// Calls action(planes, part, stream) for the slab of each GPU. `planes` is the SlabStep that computes the
// array `to` from the array `from`.
template <typename Action>
void for_planes(const Call& call, Heat& heat, const TeamSlab& from, const TeamSlab& to, std::int64_t step,
                Action action) {
  peers::for_parts(heat.team, [&](int part, cudaStream_t stream) {
    action(SlabStep{call, from.data<char>(part), to.data<char>(part), static_cast<int>(step & 1)},
           heat.part(part), stream);
  });
}

void step_overlapped(const Call& call, Heat& heat, const TeamSlab& from, const TeamSlab& to,
                     std::int64_t step) {
  peers::for_parts(heat.team, [&](int part, cudaStream_t stream) {
    const SlabMarch& own = heat.part(part);
    if (step == 0) cudaEventRecord(own.inner, stream);
    cudaStreamWaitEvent(own.side, own.inner);
    if (step > 0) cudaStreamWaitEvent(stream, own.outer);
  });
  exchange(call, heat, from);
  for_planes(call, heat, from, to, step,
             [](const SlabStep& planes, const SlabMarch& own, cudaStream_t stream) {
               planes.sweep_outer(own);
               cudaEventRecord(own.outer, own.side);
               planes.sweep(own.on_stream, own.first, own.last);
               cudaEventRecord(own.inner, stream);
             });
}

void launch_steps(const Call& call, Heat& heat) {
  const std::int64_t steps = heat3d::steps_of(call.problem);
  for (std::int64_t step = 0; step < steps; ++step) {
    const bool into_v = (steps - step) % 2 == 1;
    const TeamSlab &from = step == 0 ? *heat.u : into_v ? *heat.w : *heat.v, &to = into_v ? *heat.v : *heat.w;
    if (overlaps_exchange(call, heat)) {
      step_overlapped(call, heat, from, to, step);
      continue;
    }
    exchange(call, heat, from);
    for_planes(call, heat, from, to, step, [](const SlabStep& planes, const SlabMarch& own, cudaStream_t) {
      planes.sweep(own.on_stream, own.begin, own.end);
    });
  }
  if (overlaps_exchange(call, heat))
    peers::for_parts(heat.team, [&](int part, cudaStream_t stream) {
      cudaStreamWaitEvent(stream, heat.part(part).outer);
    });
}

void launch(const Call& call) {
  auto& heat = *static_cast<Heat*>(call.state);
  const peers::PartGraphs& graphs = heat.graphs_of(call.parts.what);
  graphs.is_there() ? graphs.launch(heat.team) : launch_steps(call, heat);
}

// Records the graphs of a call. Returns false if recording failed.
bool record(Call call, Heat& heat) {
  if (heat3d::steps_of(call.problem) > most_recorded) return true;
  bool recorded = true;
  for (const parts::Do what : {parts::Do::all, parts::Do::compute, parts::Do::exchange}) {
    call.parts.what = what;
    peers::PartGraphs& graphs = heat.graphs_of(what);
    graphs.record(heat.team, [&] { launch_steps(call, heat); });
    recorded = graphs.is_there() && recorded;
  }
  return recorded;
}

const char* prepare(const Call& call, void** state) {
  const Problem& problem = call.problem;
  const parts::Team& team = parts::team_of(call);
  auto heat = std::make_unique<Heat>(team);
  if (const char* reason = nccl::communicators_of(team, &heat->communicators)) return reason;
  if (!heat->allocate(team, problem.extents.z, heat3d::plane_bytes(problem), heat3d::radius_of(problem),
                      heat3d::steps_of(problem) > 1))
    return "no device memory for a partition's planes";
  const TeamSlab& slab = *heat->u;
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    heat->part(part).make(call, {slab.below(part), slab.own(part).count, slab.above(part)}, stream);
  });
  // Run one exchange now, because NCCL connects the GPUs at their first messages. That must not happen while
  // a graph is recorded.
  exchange(call, *heat, slab);
  if (const char* reason = nccl::refusal(heat->said, true, nccl::not_connected, nccl::peers_instead))
    return reason;
  const bool recorded = record(call, *heat);
  if (const char* reason = nccl::refusal(heat->said, recorded, nccl::not_recorded, nccl::peers_instead))
    return reason;
  *state = heat.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> heat3d_cuda_nccl() {
  Variant variant;
  variant.name = "nccl";
  variant.memory_space = MemorySpace::partitioned;
  variant.description =
      "one slab of planes per GPU, swept as in `march`; NCCL exchanges halos; one CUDA graph per GPU";
  variant.tunables = tunables<SlabShape>(heat3d::slab_members());
  variant.adapt = by_name<heat3d::fit_slabs>;
  variant.launch = {.float32 = launch, .float64 = launch};
  variant.constraint = by_name<heat3d::refuse_slabs>;
  variant.workspace = by_name<heat3d::slabs_workspace>;
  variant.prepare = prepare;
  variant.unavailable = nccl::unavailable;
  variant.release = [](void* state) { delete static_cast<Heat*>(state); };
  variant.parts.scatter = heat3d::scatter_fields<Heat>;
  variant.parts.gather = heat3d::gather_fields<Heat>;
  variant.parts.separable = true;
  return {variant};
}

}  // namespace sextant
