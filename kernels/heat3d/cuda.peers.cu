// Variant cuda.peers: the box is divided along z into slabs of whole planes, one per GPU. Each slab is swept
// as in the variant `march`. Before a step a kernel reads R planes directly from each neighbour's memory. A
// flag from the neighbours' kernels announces that these planes are ready, so no host, event or copy engine
// is involved. All steps of a GPU are one CUDA graph.
// With overlap_exchange=1 the planes are read on a second stream, which then sweeps the R outermost planes on
// each side. The first stream sweeps the planes that need no halo at the same time.
#include <array>
#include <memory>

#include "slab_march.cuh"

namespace sextant {
namespace {

using heat3d::SlabMarch;
using heat3d::SlabShape;
using heat3d::SlabStep;

// Maximum steps in one graph. Calls with more steps launch them one by one, for all GPUs in turn.
constexpr std::int64_t most_recorded = 20'000;

// Streams, events and graphs for the slab of one GPU.
struct Part : SlabMarch {
  ~Part() {
    for (cudaGraphExec_t graph : graphs)
      if (graph) cudaGraphExecDestroy(graph);
  }
  std::array<cudaGraphExec_t, 3> graphs = {};  // one each to compute, exchange or both
};

struct Heat : heat3d::TeamFields {
  explicit Heat(const parts::Team& its_team) : team(its_team), meetings(its_team) {}
  const parts::Team& team;
  peers::Meetings meetings;
  std::array<Part, parts::most_of_a_team> parts;
  bool recorded = false;  // true if the graphs of all GPUs are recorded
};

__global__ void end_rounds(unsigned* base, unsigned rounds) { *base += rounds; }

bool fetches(const Call& call, const Heat& heat) {
  return call.parts.what != parts::Do::compute && heat.team.parts > 1;
}

void fetch(const Call& call, const Heat& heat, const TeamSlab& slab, std::int64_t step, int part,
           cudaStream_t stream) {
  if (fetches(call, heat))
    heat3d::fetch(slab, heat3d::radius_of(call.problem), heat3d::plane_bytes(call.problem), heat.meetings,
                  static_cast<unsigned>(step + 1), part, stream);
}

bool overlaps_exchange(const Call& call, const Heat& heat) {
  return call.tuned<SlabShape>().overlap_exchange && heat.team.parts > 1;
}

void step_overlapped(const Call& call, const Heat& heat, const TeamSlab& slab, const SlabStep& planes,
                     std::int64_t step, int part, cudaStream_t stream) {
  const Part& own = heat.parts[static_cast<std::size_t>(part)];
  if (step == 0) cudaEventRecord(own.inner, stream);
  cudaStreamWaitEvent(own.side, own.inner);
  if (step > 0) cudaStreamWaitEvent(stream, own.outer);
  fetch(call, heat, slab, step, part, own.side);
  planes.sweep_outer(own);
  cudaEventRecord(own.outer, own.side);
  planes.sweep(own.on_stream, own.first, own.last);
  cudaEventRecord(own.inner, stream);
}

// Launches one step of the slab with index `part`.
void step_of(const Call& call, const Heat& heat, std::int64_t step, int part, cudaStream_t stream) {
  const bool into_v = (heat3d::steps_of(call.problem) - step) % 2 == 1;
  const TeamSlab &from = step == 0 ? *heat.u : into_v ? *heat.w : *heat.v, &to = into_v ? *heat.v : *heat.w;
  const SlabStep planes{call, from.data<char>(part), to.data<char>(part), static_cast<int>(step & 1)};
  const Part& own = heat.parts[static_cast<std::size_t>(part)];
  if (overlaps_exchange(call, heat)) return step_overlapped(call, heat, from, planes, step, part, stream);
  fetch(call, heat, from, step, part, stream);
  planes.sweep(own.on_stream, own.begin, own.end);
}

// Launches the work that follows the last step of a slab.
void end_part(const Call& call, const Heat& heat, int part, cudaStream_t stream) {
  if (overlaps_exchange(call, heat))
    cudaStreamWaitEvent(stream, heat.parts[static_cast<std::size_t>(part)].outer);
  if (fetches(call, heat))
    end_rounds<<<1, 1, 0, stream>>>(heat.meetings.base(part),
                                    static_cast<unsigned>(heat3d::steps_of(call.problem)));
}

void launch(const Call& call) {
  const auto& heat = *static_cast<const Heat*>(call.state);
  if (heat.recorded)
    return peers::for_parts(heat.team, [&](int part, cudaStream_t stream) {
      cudaGraphLaunch(
          heat.parts[static_cast<std::size_t>(part)].graphs[static_cast<std::size_t>(call.parts.what)],
          stream);
    });
  for (std::int64_t step = 0; step < heat3d::steps_of(call.problem); ++step)
    peers::for_parts(heat.team,
                     [&](int part, cudaStream_t stream) { step_of(call, heat, step, part, stream); });
  peers::for_parts(heat.team, [&](int part, cudaStream_t stream) { end_part(call, heat, part, stream); });
}

// Records all steps of a slab as a graph; returns null if that fails.
cudaGraphExec_t record(const Call& call, const Heat& heat, int part, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t recorded = nullptr;
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess) {
    for (std::int64_t step = 0; step < heat3d::steps_of(call.problem); ++step)
      step_of(call, heat, step, part, stream);
    end_part(call, heat, part, stream);
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess ||
        cudaGraphInstantiate(&recorded, graph, 0) != cudaSuccess)
      recorded = nullptr;
  }
  if (graph) cudaGraphDestroy(graph);
  cudaGetLastError();
  return recorded;
}

// Records the graphs of all slabs. Does nothing if several slabs share a GPU, because their graphs could wait
// for each other in one hardware queue.
void record_all(Call call, Heat* heat) {
  if (heat->team.sharing > 1 || heat3d::steps_of(call.problem) > most_recorded) return;
  heat->recorded = true;
  for (const parts::Do what : {parts::Do::all, parts::Do::compute, parts::Do::exchange})
    peers::for_parts(heat->team, [&](int part, cudaStream_t stream) {
      call.parts.what = what;
      cudaGraphExec_t& graph =
          heat->parts[static_cast<std::size_t>(part)].graphs[static_cast<std::size_t>(what)];
      if (heat->recorded) graph = record(call, *heat, part, stream);
      heat->recorded = heat->recorded && graph;
    });
}

const char* prepare(const Call& call, void** state) {
  const Problem& problem = call.problem;
  const parts::Team& team = parts::team_of(call);
  if (!team.reaches_all) return peers::out_of_reach;
  auto heat = std::make_unique<Heat>(team);
  if (!heat->allocate(team, problem.extents.z, heat3d::plane_bytes(problem), heat3d::radius_of(problem),
                      heat3d::steps_of(problem) > 1))
    return "no device memory for a partition's planes";
  if (const char* reason = heat->meetings.make(team)) return reason;
  heat3d::load_exchange(team, heat3d::plane_bytes(problem));
  peers::load_everywhere(team, end_rounds);
  const TeamSlab& slab = *heat->u;
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    heat->parts[static_cast<std::size_t>(part)].make(
        call, {slab.below(part), slab.own(part).count, slab.above(part)}, stream);
  });
  record_all(call, heat.get());
  *state = heat.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> heat3d_cuda_peers() {
  Variant variant;
  variant.name = "peers";
  variant.memory_space = MemorySpace::partitioned;
  variant.description =
      "one slab of planes per GPU, swept as in `march`; kernels read halos from neighbouring GPUs' memory";
  variant.tunables = tunables<SlabShape>(heat3d::slab_members());
  variant.adapt = by_name<heat3d::fit_slabs>;
  variant.launch = {.float32 = launch, .float64 = launch};
  variant.constraint = by_name<heat3d::refuse_slabs>;
  variant.workspace = by_name<heat3d::slabs_workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Heat*>(state); };
  variant.parts.scatter = heat3d::scatter_fields<Heat>;
  variant.parts.gather = heat3d::gather_fields<Heat>;
  variant.parts.separable = true;
  return {variant};
}

}  // namespace sextant
