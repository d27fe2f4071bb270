// Variant cuda.peers_temporal: the box is divided along z into slabs of whole planes, one per GPU. Each slab
// is swept as in the variant `temporal`, with several steps per pass. A halo has R planes per step of a pass.
// With push=1 the blocks at a slab's ends also store their results in the neighbours' halos. Blocks of the
// next pass that read these halos wait for a flag (toolbox/cuda/edges.cuh). All other blocks start at once.
// Before the first pass, a kernel fills the neighbours' halos and raises the same flag. All passes of a call
// are one CUDA graph per GPU.
// With push=0 a kernel fetches the halos before every pass.
#include <memory>

#include "recorded.cuh"
#include "slab_march.cuh"
#include "slab_plan.hpp"
#include "temporal.cuh"
#include "toolbox/cuda/part_graphs.cuh"

namespace sextant {
namespace {

using heat3d::SlabCut;
using heat3d::TemporalShape;
using heat3d::Tiles;
using Steps = Choices<1, 2, 3>;
using LanePoints = Choices<4, 8>;

constexpr int rows = 2;  // rows per warp

struct Shape {
  int block_y = 8, steps_per_pass = 2, waves = 1, points_per_lane = 8, push = 1;
  // Number of planes by which chunks next to a neighbour are shorter than other chunks.
  int fewer_edge_planes = 1;
  TemporalShape of_tile() const { return {block_y, rows, steps_per_pass, waves, points_per_lane}; }
};

struct Heat : heat3d::TeamFields {
  explicit Heat(const parts::Team& its_team)
      : team(its_team), meetings(its_team), sides(its_team, /*around=*/false) {}
  const parts::Team& team;
  peers::Meetings meetings;
  peers::Sides sides;
  peers::PartGraphs of_all, of_computing;  // graphs of a whole call, and of a call without the exchange
};

// Maximum passes in one graph. Calls with more passes launch them one by one.
constexpr std::int64_t most_recorded = 20'000;

bool whole_rows(const Problem& problem, const Shape& shape) {
  return problem.extents.x % shape.points_per_lane == 0;
}
std::int64_t pitch_of(const Problem& problem, const Shape& shape) {
  return whole_rows(problem, shape) ? problem.extents.x : heat3d::padded_pitch(problem);
}
std::int64_t plane_bytes(const Problem& problem, const Shape& shape) {
  return pitch_of(problem, shape) * problem.extents.y * static_cast<std::int64_t>(element_size(problem.type));
}
std::int64_t depth_of(const Problem& problem, const Shape& shape) {
  return std::int64_t{shape.steps_per_pass} * heat3d::radius_of(problem);
}
Tiles tiles_of(const Problem& problem, const Shape& shape) {
  return heat3d::tiles_of(problem.extents.x, problem.extents.y, heat3d::radius_of(problem), shape.of_tile(),
                          shape.points_per_lane == 4);
}

// Addresses in the neighbours' arrays that correspond to plane 0 of this slab. The slab's own offsets can be
// added to them. A null address means that nothing is stored there.
template <typename T>
struct Beyond {
  T *low, *high;
};

template <typename F, typename T>
__global__ void __launch_bounds__(
    heat3d::warp_lanes* heat3d::most_warps(F::radius, F::steps, F::rows* F::points_per_lane, sizeof(T)), 1)
    fused_slab(heat3d::Box box, Tiles tiles, SlabCut cut, std::int64_t plane_of_v, const T* u, T* v,
               Beyond<T> beyond, peers::Edges edges) {
  // The block's position in the slab is computed again wherever it is needed. Kept in registers over the
  // whole sweep, it would cause spills.
  const int block = static_cast<int>(blockIdx.y);
  peers::begin_at_edges(edges, cut.is_low(block), cut.is_high(block));
  const heat3d::Tile<F, T> tile(box, tiles,
                                {static_cast<int>(blockIdx.x), cut.begin_of(block), cut.end_of(block)});
  heat3d::fuse(tile, plane_of_v, u, v, [&](int z, T* to, T* line, const auto& out) {
    tile.store(to, line, out);
    if (beyond.low && z < cut.first + cut.depth) tile.store(beyond.low + z * plane_of_v, line, out);
    if (beyond.high && z >= cut.last - cut.depth) tile.store(beyond.high + z * plane_of_v, line, out);
  });
  peers::end_at_edges(edges, cut.is_low(block), cut.is_high(block));
}

SlabCut cut_of(const Call& call, const Shape& shape, const TeamSlab& slab, int part) {
  return heat3d::cut_slab(slab.below(part), slab.own(part).count, tiles_of(call.problem, shape).blocks(),
                          std::int64_t{shape.waves} * multiprocessors(), depth_of(call.problem, shape),
                          {slab.below(part) > 0, slab.above(part) > 0}, shape.fewer_edge_planes);
}

struct Pass {
  bool pushes;  // true if the pass stores results in the neighbours' halos
  bool waits;   // true if the pass waits for the halos that the neighbours' previous pass stored
};

template <typename T>
T* beyond_of(const Heat& heat, const TeamSlab& to, const SlabCut& cut, int part, int side,
             std::int64_t plane) {
  const int other = heat.sides.neighbour(part, side);
  if (other < 0) return nullptr;
  const std::int64_t there = side == 0 ? to.below(other) + to.own(other).count - cut.first
                                       // For the low side, the target is the halo above the neighbour's own
                                       // planes; for the high side, the halo below them.
                                       : to.below(other) - cut.last;
  return to.data<T>(other) + there * plane;
}

template <typename F, typename T>
void launch_part(const Call& call, const Heat& heat, const Pass& pass, const TeamSlab& from,
                 const TeamSlab& to, int part, cudaStream_t stream) {
  const auto shape = call.tuned<Shape>();
  const auto kernel = fused_slab<F, T>;
  TemporalShape of_pass = shape.of_tile();
  of_pass.steps_per_pass = F::steps;
  const Extents& size = call.problem.extents;
  const Tiles tiles = heat3d::tiles_of(size.x, size.y, F::radius, of_pass, F::folded);
  SlabCut cut = cut_of(call, shape, from, part);
  const heat3d::Box box({size.x, size.y, from.planes(part)}, pitch_of(call.problem, shape));
  peers::Edges edges;
  Beyond<T> beyond = {};
  if (pass.pushes || pass.waits) {
    const auto blocks_at = [&](int side) {
      return static_cast<unsigned>(heat3d::blocks_at(cut, side) * tiles.blocks());
    };
    const PollLimit poll_limit = heat.meetings.poll_limit(part);
    edges.low = heat.sides.edge(part, 0, pass.waits, pass.pushes, blocks_at(0), poll_limit);
    edges.high = heat.sides.edge(part, 1, pass.waits, pass.pushes, blocks_at(1), poll_limit);
  }
  if (pass.pushes)
    beyond = {beyond_of<T>(heat, to, cut, part, 0, box.plane),
              beyond_of<T>(heat, to, cut, part, 1, box.plane)};
  const std::size_t bytes = heat3d::shared_points(F::radius, of_pass) * sizeof(T);
  kernel<<<dim3(static_cast<unsigned>(tiles.blocks()), static_cast<unsigned>(cut.pieces)),
           dim3(heat3d::warp_lanes, shape.block_y), bytes, stream>>>(
      box, tiles, cut, box.plane, from.data<const T>(part), to.data<T>(part), beyond, edges);
}

// Calls action.operator()<F>(), where F contains the compile-time parameters of a pass.
template <typename T, typename Action>
void with_fusion(const Problem& problem, const Shape& shape, int steps_left, Action action) {
  heat3d::Radii::with(heat3d::radius_of(problem), [&]<int radius>() {
    Steps::with(std::min(shape.steps_per_pass, steps_left), [&]<int steps>() {
      LanePoints::with(shape.points_per_lane, [&]<int points>() {
        if constexpr (heat3d::has_kernel(radius, steps, rows, points, sizeof(T))) {
          if (whole_rows(problem, shape))
            action.template operator()<heat3d::Fusion<radius, steps, rows, points, true, points == 4>>();
          else if constexpr (points == 4)
            action.template operator()<heat3d::Fusion<radius, steps, rows, points, false, true>>();
        }
      });
    });
  });
}

// Returns true if passes are synchronised by edge flags alone. That needs at least two passes: a single pass
// raises no flag at its end, so the next call's first halos could arrive while it still reads.
bool pushes(const Call& call, const Heat& heat) {
  const auto shape = call.tuned<Shape>();
  if (!shape.push || heat.team.parts == 1 || heat3d::passes_of(call.problem, shape.of_tile()) == 1)
    return false;
  const std::int64_t tiles = tiles_of(call.problem, shape).blocks();
  int most = 0;
  for (int part = 0; part < heat.team.parts; ++part) {
    const SlabCut cut = cut_of(call, shape, *heat.u, part);
    most = std::max(most, heat3d::blocks_at(cut, 0) + heat3d::blocks_at(cut, 1));
  }
  return peers::edges_fit(heat.team, tiles * most);
}

bool exchanges(const Call& call, const Heat& heat) {
  return call.parts.what != parts::Do::compute && heat.team.parts > 1;
}

void fetch_all(const Call& call, Heat& heat, const TeamSlab& from) {
  const auto shape = call.tuned<Shape>();
  heat.meetings.next_round();
  peers::for_parts(heat.team, [&](int part, cudaStream_t stream) {
    heat3d::fetch(from, depth_of(call.problem, shape), plane_bytes(call.problem, shape), heat.meetings,
                  heat.meetings.round(), part, stream);
  });
}

void push_all(const Call& call, const Heat& heat, const TeamSlab& from) {
  const auto shape = call.tuned<Shape>();
  peers::for_parts(heat.team, [&](int part, cudaStream_t stream) {
    heat3d::push(from, depth_of(call.problem, shape), plane_bytes(call.problem, shape), heat.sides,
                 heat.meetings.poll_limit(part), part, stream);
  });
}

template <typename T>
void launch_passes(const Call& call, Heat& heat) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t all = heat3d::steps_of(call.problem), most = shape.steps_per_pass,
                     passes = heat3d::passes_of(call.problem, shape.of_tile());
  const bool computes = call.parts.what != parts::Do::exchange,
             pushing = computes && exchanges(call, heat) && pushes(call, heat);
  if (pushing) push_all(call, heat, *heat.u);
  for (std::int64_t number = 0; number < passes; ++number) {
    const bool into_v = (passes - number) % 2 == 1;
    const TeamSlab &from = number == 0 ? *heat.u
                           : into_v    ? *heat.w
                                       : *heat.v,
                   &to = into_v ? *heat.v : *heat.w;
    if (exchanges(call, heat) && !pushing) fetch_all(call, heat, from);
    if (!computes) continue;
    const Pass pass = {pushing && number + 1 < passes, pushing};
    const int steps = static_cast<int>(std::min(all - number * most, most));
    with_fusion<T>(call.problem, shape, steps, [&]<typename F>() {
      peers::for_parts(heat.team, [&](int part, cudaStream_t stream) {
        launch_part<F, T>(call, heat, pass, from, to, part, stream);
      });
    });
  }
}

template <typename T>
void launch(const Call& call) {
  auto& heat = *static_cast<Heat*>(call.state);
  const peers::PartGraphs& graphs = call.parts.what == parts::Do::all ? heat.of_all : heat.of_computing;
  if (call.parts.what != parts::Do::exchange && graphs.is_there())
    graphs.launch(heat.team);
  else
    launch_passes<T>(call, heat);
}

// Records the graphs of a call. If halos are fetched before every pass, the host counts the exchanges, so
// nothing is recorded.
template <typename T>
void record(Call call, Heat& heat) {
  if (heat3d::passes_of(call.problem, call.tuned<Shape>().of_tile()) > most_recorded) return;
  for (const parts::Do what : {parts::Do::all, parts::Do::compute}) {
    call.parts.what = what;
    if (exchanges(call, heat) && !pushes(call, heat)) continue;
    (what == parts::Do::all ? heat.of_all : heat.of_computing).record(heat.team, [&] {
      launch_passes<T>(call, heat);
    });
  }
}

template <typename T>
void load_kernels(const Call& call, const parts::Team& team) {
  const auto shape = call.tuned<Shape>();
  for (const int steps : Steps::list())
    with_fusion<T>(call.problem, shape, steps, [&]<typename F>() {
      TemporalShape of_pass = shape.of_tile();
      of_pass.steps_per_pass = F::steps;
      const auto bytes = static_cast<int>(heat3d::shared_points(F::radius, of_pass) * sizeof(T));
      peers::for_parts(team, [&](int, cudaStream_t) {
        cudaFuncSetAttribute(fused_slab<F, T>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
      });
      peers::load_everywhere(team, fused_slab<F, T>);
    });
}

template <typename T>
void make_ready(const Call& call, Heat& heat) {
  load_kernels<T>(call, heat.team);
  record<T>(call, heat);
}

const char* prepare(const Call& call, void** state) {
  const Problem& problem = call.problem;
  const auto shape = call.tuned<Shape>();
  const parts::Team& team = parts::team_of(call);
  if (!team.reaches_all) return peers::out_of_reach;
  if (const char* reason = heat3d::refuse_shared_memory(
          heat3d::shared_points(heat3d::radius_of(problem), shape.of_tile()) * element_size(problem.type)))
    return reason;
  auto heat = std::make_unique<Heat>(team);
  if (!heat->allocate(team, problem.extents.z, plane_bytes(problem, shape), depth_of(problem, shape),
                      heat3d::passes_of(problem, shape.of_tile()) > 1))
    return "no device memory for a partition's planes";
  if (const char* reason = heat->meetings.make(team)) return reason;
  if (!heat->sides.make()) return "no device memory for the synchronization flags";
  heat3d::load_exchange(team, plane_bytes(problem, shape));
  problem.type == ElementType::float32 ? make_ready<float>(call, *heat) : make_ready<double>(call, *heat);
  *state = heat.release();
  return nullptr;
}

// Copies all rows of the box between arrays with different row pitch. Rows begin every `from_pitch` bytes in
// `from` and every `to_pitch` bytes in `to`.
void copy_rows(const Problem& problem, const char* from, std::int64_t from_pitch, char* to,
               std::int64_t to_pitch) {
  const std::int64_t row = problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  for (std::int64_t i = 0; i < problem.extents.y * problem.extents.z; ++i)
    std::copy_n(from + i * from_pitch, row, to + i * to_pitch);
}

std::int64_t row_bytes(const Problem& problem, std::int64_t pitch) {
  return pitch * static_cast<std::int64_t>(element_size(problem.type));
}

void scatter(const Call& call) {
  const auto* heat = static_cast<const Heat*>(call.state);
  const Problem& problem = call.problem;
  const auto shape = call.tuned<Shape>();
  const std::int64_t pitch = row_bytes(problem, pitch_of(problem, shape)),
                     row = row_bytes(problem, problem.extents.x);
  for (int i = 0; i < 2; ++i) {
    TeamSlab& slab = i == 0 ? *heat->u : *heat->v;
    if (pitch == row) {
      slab.scatter(call.address(i));
      continue;
    }
    std::vector<char> padded(static_cast<std::size_t>(pitch * problem.extents.y * problem.extents.z));
    copy_rows(problem, call.array<const char>(i), row, padded.data(), pitch);
    slab.scatter(padded.data());
  }
}

void gather(const Call& call) {
  const auto* heat = static_cast<const Heat*>(call.state);
  const Problem& problem = call.problem;
  const auto shape = call.tuned<Shape>();
  const std::int64_t pitch = row_bytes(problem, pitch_of(problem, shape)),
                     row = row_bytes(problem, problem.extents.x);
  if (pitch == row) return heat->v->gather(call.address(1));
  std::vector<char> padded(static_cast<std::size_t>(pitch * problem.extents.y * problem.extents.z));
  heat->v->gather(padded.data());
  copy_rows(problem, padded.data(), pitch, call.array<char>(1), row);
}

// Returns the problem of one GPU, with as many planes as the largest slab.
Problem part_of(const Problem& problem) {
  Problem part = problem;
  part.extents.z = share_of(problem.extents.z, problem.parts, 0).count;
  part.parts = 1;
  return part;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (const char* reason = heat3d::refuse_by_point(problem)) return reason;
  if (heat3d::padded_pitch(problem) * problem.extents.y > INT32_MAX) return "a plane has 2^31 points or more";
  if (problem.parts > 1 && problem.extents.z / problem.parts < depth_of(problem, shape))
    return "a partition would have fewer planes than the halo of a pass: choose fewer partitions, fewer "
           "steps_per_pass, or more planes";
  if (!whole_rows(problem, shape) && shape.points_per_lane != 4)
    return "rows of this length need points_per_lane=4";
  if (!heat3d::has_kernel(heat3d::radius_of(problem), shape.steps_per_pass, rows, shape.points_per_lane,
                          static_cast<int>(element_size(problem.type))))
    return "no kernel is compiled for this radius, steps_per_pass and points_per_lane";
  return heat3d::refuse_shape(problem, shape.of_tile());
}

// Chooses the fastest tile shape by the cost estimate. If no kernel accepts rows of this length, chooses
// single steps with as many warps as possible.
void fit(const Problem& problem, Shape& shape) {
  TemporalShape best = shape.of_tile();
  best.points_per_lane = 0;
  heat3d::adapt_slab(part_of(problem), heat3d::machine(), best, [&](const TemporalShape& tile) {
    const Shape taken = {tile.block_y,         tile.steps_per_pass, tile.waves,
                         tile.points_per_lane, shape.push,          shape.fewer_edge_planes};
    return tile.rows == rows && tile.steps_per_pass <= 3 && tile.long_tiles_first == 0 &&
           !refuse(problem, taken);
  });
  if (best.points_per_lane > 0) {
    shape = {best.block_y,         best.steps_per_pass, best.waves,
             best.points_per_lane, shape.push,          shape.fewer_edge_planes};
    return;
  }
  for (const int warps : heat3d::warp_choices()) {
    const Shape one = {warps, 1, 1, 4, shape.push, shape.fewer_edge_planes};
    if (!refuse(problem, one)) shape = one;
  }
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  const std::int64_t planes = part_of(problem).extents.z + 2 * depth_of(problem, shape),
                     arrays = heat3d::passes_of(problem, shape.of_tile()) > 1 ? 3 : 2;
  return arrays * (planes * plane_bytes(problem, shape) + 3 * 4096);
}

}  // namespace

std::vector<Variant> heat3d_cuda_peers_temporal() {
  Variant variant;
  variant.name = "peers_temporal";
  variant.memory_space = MemorySpace::partitioned;
  variant.description =
      "one slab of planes per GPU, swept as in `temporal`; kernels push or fetch halos between GPUs";
  variant.tunables = tunables<Shape>({{"block_y", &Shape::block_y, heat3d::warp_choices()},
                                      {"steps_per_pass", &Shape::steps_per_pass, Steps::list()},
                                      {"waves", &Shape::waves, heat3d::wave_choices()},
                                      {"points_per_lane", &Shape::points_per_lane, LanePoints::list()},
                                      {"push", &Shape::push, {0, 1}},
                                      {"fewer_edge_planes", &Shape::fewer_edge_planes, {0, 1, 2, 3}}});
  variant.adapt = by_name<fit>;
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Heat*>(state); };
  variant.parts.scatter = scatter;
  variant.parts.gather = gather;
  variant.parts.separable = true;
  return {variant};
}

}  // namespace sextant
