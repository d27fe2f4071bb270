// The box cut along z into slabs of whole planes, one a GPU, each swept as `march` does. Before a step a kernel fetches R
// planes of each neighbour out of its memory: the neighbours' kernels of that step say by a flag that their planes are there,
// so no host, no event and no copy engine takes part. Each GPU's steps are one CUDA graph. With beside=1 that happens on a
// second stream, with the R outermost planes on either side after it, while the planes that need no halo are swept.
#include <array>
#include <memory>

#include "march_launch.cuh"
#include "team_halos.cuh"

namespace sextant {
namespace {

using heat3d::March;
using heat3d::MarchShape;

constexpr std::int64_t most_recorded =
    20'000;  // steps in a graph; more are launched one by one, all parts' in turn

struct Shape : MarchShape {
  int beside = 1;
};

// What a part's steps are launched with.
struct Part {
  March on_stream, on_side;  // the same sweep, on the part's stream and on the second one
  cudaStream_t side = nullptr;
  cudaEvent_t inner = nullptr, outer = nullptr;  // the last sweep of either is done
  std::int64_t begin = 0, end = 0;               // own planes of the slab
  std::int64_t first = 0, last = 0;              // of these, the ones that need no halo
  std::array<cudaGraphExec_t, 3> graphs = {};    // of all steps, for each parts::Do
};

struct Heat {
  explicit Heat(const parts::Team& its_team) : team(its_team), meetings(its_team) {}
  Heat(const Heat&) = delete;
  Heat& operator=(const Heat&) = delete;
  ~Heat() {
    for (const Part& part : parts) {
      if (part.side) cudaStreamDestroy(part.side);
      if (part.inner) cudaEventDestroy(part.inner);
      if (part.outer) cudaEventDestroy(part.outer);
      for (cudaGraphExec_t graph : part.graphs)
        if (graph) cudaGraphExecDestroy(graph);
    }
  }
  const parts::Team& team;
  peers::Meetings meetings;
  std::unique_ptr<TeamSlab> u, v, w;  // w: what several steps alternate with
  std::array<Part, parts::most_of_a_team> parts;
  bool recorded = false;  // all parts have their graphs
};

__global__ void end_rounds(unsigned* base, unsigned rounds) { *base += rounds; }

std::int64_t plane_bytes(const Problem& problem) {
  return problem.extents.x * problem.extents.y * static_cast<std::int64_t>(element_size(problem.type));
}

bool fetches(const Call& call, const Heat& heat) {
  return call.what != parts::Do::compute && heat.team.parts > 1;
}

void fetch(const Call& call, const Heat& heat, const TeamSlab& slab, std::int64_t step, int part,
           cudaStream_t stream) {
  if (fetches(call, heat))
    heat3d::fetch(slab, heat3d::radius_of(call.problem), plane_bytes(call.problem), heat.meetings,
                  static_cast<unsigned>(step + 1), part, stream);
}

// A step's sweep of planes [first, last) of a part.
struct Planes {
  const Call& call;
  const void* from;
  void* to;
  int turn;

  void sweep(const March& march, std::int64_t first, std::int64_t last) const {
    if (call.what != parts::Do::exchange && first < last) march.sweep(march, from, to, first, last, turn);
  }
};

bool is_beside(const Call& call, const Heat& heat) {
  return call.tuned<Shape>().beside && heat.team.parts > 1;
}

void step_beside(const Call& call, const Heat& heat, const TeamSlab& slab, const Planes& planes,
                 std::int64_t step, int part, cudaStream_t stream) {
  const Part& own = heat.parts[static_cast<std::size_t>(part)];
  if (step == 0) cudaEventRecord(own.inner, stream);
  cudaStreamWaitEvent(own.side, own.inner);
  if (step > 0) cudaStreamWaitEvent(stream, own.outer);
  fetch(call, heat, slab, step, part, own.side);
  planes.sweep(own.on_side, own.begin, std::min(own.first, own.end));
  planes.sweep(own.on_side, own.last, own.end);
  cudaEventRecord(own.outer, own.side);
  planes.sweep(own.on_stream, own.first, own.last);
  cudaEventRecord(own.inner, stream);
}

// What a step is for a part.
void step_of(const Call& call, const Heat& heat, std::int64_t step, int part, cudaStream_t stream) {
  const bool into_v = (heat3d::steps_of(call.problem) - step) % 2 == 1;
  const TeamSlab &from = step == 0 ? *heat.u : into_v ? *heat.w : *heat.v, &to = into_v ? *heat.v : *heat.w;
  const Planes planes{call, from.data<char>(part), to.data<char>(part), static_cast<int>(step & 1)};
  const Part& own = heat.parts[static_cast<std::size_t>(part)];
  if (is_beside(call, heat)) return step_beside(call, heat, from, planes, step, part, stream);
  fetch(call, heat, from, step, part, stream);
  planes.sweep(own.on_stream, own.begin, own.end);
}

// What follows the last step.
void end_part(const Call& call, const Heat& heat, int part, cudaStream_t stream) {
  if (is_beside(call, heat)) cudaStreamWaitEvent(stream, heat.parts[static_cast<std::size_t>(part)].outer);
  if (fetches(call, heat))
    end_rounds<<<1, 1, 0, stream>>>(heat.meetings.base(part),
                                    static_cast<unsigned>(heat3d::steps_of(call.problem)));
}

void launch(const Call& call) {
  const auto& heat = *static_cast<const Heat*>(call.state);
  if (heat.recorded)
    return peers::for_parts(heat.team, [&](int part, cudaStream_t stream) {
      cudaGraphLaunch(heat.parts[static_cast<std::size_t>(part)].graphs[static_cast<std::size_t>(call.what)],
                      stream);
    });
  for (std::int64_t step = 0; step < heat3d::steps_of(call.problem); ++step)
    peers::for_parts(heat.team,
                     [&](int part, cudaStream_t stream) { step_of(call, heat, step, part, stream); });
  peers::for_parts(heat.team, [&](int part, cudaStream_t stream) { end_part(call, heat, part, stream); });
}

// All of a part's steps as a graph; null where that cannot be.
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

// Not where parts share a GPU: their graphs might wait for each other in one queue.
void record_all(Call call, Heat* heat) {
  if (heat->team.sharing > 1 || heat3d::steps_of(call.problem) > most_recorded) return;
  heat->recorded = true;
  for (const parts::Do what : {parts::Do::all, parts::Do::compute, parts::Do::exchange})
    peers::for_parts(heat->team, [&](int part, cudaStream_t stream) {
      call.what = what;
      cudaGraphExec_t& graph =
          heat->parts[static_cast<std::size_t>(part)].graphs[static_cast<std::size_t>(what)];
      if (heat->recorded) graph = record(call, *heat, part, stream);
      heat->recorded = heat->recorded && graph;
    });
}

// The slab's planes as a box of their own: halos are its rim, and the box's own rim is where there is no halo.
void prepare_part(const Call& call, Heat* heat, int part, cudaStream_t stream) {
  Part& own = heat->parts[static_cast<std::size_t>(part)];
  const TeamSlab& slab = *heat->u;
  const std::int64_t radius = heat3d::radius_of(call.problem);
  cudaStreamCreateWithFlags(&own.side, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&own.inner, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&own.outer, cudaEventDisableTiming);
  own.begin = slab.below(part);
  own.end = own.begin + slab.own(part).count;
  own.first = slab.below(part) > 0 ? own.begin + radius : own.begin;
  own.last = std::max(own.first, slab.above(part) > 0 ? own.end - radius : own.end);
  Call of_part = call;
  of_part.problem.extents.z = slab.planes(part);
  of_part.stream = stream;
  own.on_stream = heat3d::march_of(of_part, call.tuned<Shape>());
  of_part.stream = own.side;
  own.on_side = heat3d::march_of(of_part, call.tuned<Shape>());
}

const char* prepare(const Call& call, void** state) {
  const Problem& problem = call.problem;
  const parts::Team& team = parts::team_of(call);
  if (!team.reaches_all) return peers::out_of_reach;
  auto heat = std::make_unique<Heat>(team);
  for (std::unique_ptr<TeamSlab>* slab : {&heat->u, &heat->v, &heat->w}) {
    if (slab == &heat->w && heat3d::steps_of(problem) == 1) continue;
    *slab =
        std::make_unique<TeamSlab>(team, problem.extents.z, plane_bytes(problem), heat3d::radius_of(problem));
    if (!(*slab)->is_there()) return "no device memory for a part's planes";
  }
  if (const char* reason = heat->meetings.make(team)) return reason;
  heat3d::load_fetch(team, plane_bytes(problem));
  peers::load_everywhere(team, end_rounds);
  peers::for_parts(team,
                   [&](int part, cudaStream_t stream) { prepare_part(call, heat.get(), part, stream); });
  record_all(call, heat.get());
  *state = heat.release();
  return nullptr;
}

void scatter(const Call& call) {
  const auto* heat = static_cast<const Heat*>(call.state);
  heat->u->scatter(call.arrays[0]);
  heat->v->scatter(call.arrays[1]);
}

void gather(const Call& call) { static_cast<const Heat*>(call.state)->v->gather(call.arrays[1]); }

// With the planes of one part, the most there are, halos included.
Problem part_of(const Problem& problem) {
  Problem part = problem;
  part.extents.z = share_of(problem.extents.z, problem.parts, 0).count + 2 * heat3d::radius_of(problem);
  part.parts = 1;
  return part;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (problem.extents.z / problem.parts < heat3d::radius_of(problem))
    return "a part would have fewer planes than the stencil reaches to a side: take fewer parts, or a box of more "
           "planes";
  return heat3d::refuse_march(problem, shape);
}

void fit(const Problem& problem, Shape& shape) {
  heat3d::adapt_march(part_of(problem), shape);
  shape.overlap = 0;
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  const Problem part = part_of(problem);
  return (heat3d::steps_of(problem) > 1 ? 3 : 2) * (part.extents.z * plane_bytes(part) + 3 * 4096);
}

}  // namespace

Variant heat3d_cuda_peers() {
  Variant variant;
  variant.home = Home::ranks;
  variant.description =
      "GPUs with a slab of planes each, swept as march does; kernels fetch the halos out of the neighbours' memory";
  std::vector<TunableMember<Shape>> members = heat3d::march_members<Shape>();
  members.push_back({"beside", &Shape::beside, {0, 1}});
  variant.tunables = tunables<Shape>(members);
  variant.adapt = by_name<fit>;
  variant.launch = {.float32 = launch, .float64 = launch};
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Heat*>(state); };
  variant.scatter = scatter;
  variant.gather = gather;
  variant.separable = true;
  return variant;
}

}  // namespace sextant
