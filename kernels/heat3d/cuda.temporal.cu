// Several steps a pass over memory, fused within a multiprocessor. A block owns a tile of 256 or 128 points along x and
// some rows along y, and marches along z with a pipeline of stages: stage 1 takes planes from a ring in shared memory,
// which copies fill ahead, and computes step 1; stage k keeps what stage k - 1 gave it in registers, planes z-R … z+R
// of each thread's own points, and computes step k, R planes behind. The block's threads wait for each other once a
// plane, blocks for nobody. Each stage loses R points at those edges of the tile that are not the box's, which the
// neighbouring block computes, too (overlapped tiling). So memory is read and written once in `steps_per_pass` steps;
// the price is that work done twice, and registers.
#include "padded.cuh"
#include "temporal.cuh"

namespace sextant {
namespace {

using heat3d::Overlap;
using heat3d::Tiles;
using heat3d::ZCut;
using Shape = heat3d::TemporalShape;
using Rows = Choices<1, 2, 3, 4>;
using Steps = Choices<1, 2, 3, 4>;
using LanePoints = Choices<4, 8>;

bool whole_rows(const Problem& problem, const Shape& shape) {
  return problem.extents.x % shape.lane_points == 0;
}

// One array, as v is the other; where rows are not whole, two padded ones, as u and v are copied to and from there.
std::int64_t workspace(const Problem& problem, const Shape& shape) {
  if (!whole_rows(problem, shape)) return heat3d::padded_bytes(problem, 2);
  return heat3d::passes_of(problem, shape) > 1 ? heat3d::workspace_bytes(problem) : 0;
}

std::int64_t pitch_of(const Problem& problem, const Shape& shape) {
  return whole_rows(problem, shape) ? problem.extents.x : heat3d::padded_pitch(problem);
}

std::size_t shared_bytes(const Problem& problem, const Shape& shape) {
  return heat3d::shared_points(heat3d::radius_of(problem), shape) * element_size(problem.type);
}

Tiles tiles_of(const Problem& problem, const Shape& shape) {
  return heat3d::tiles_of(problem.extents.x, problem.extents.y, heat3d::radius_of(problem), shape);
}

// Launches a kernel for some tiles; `shape` is F's.
template <typename F, typename T>
void launch_tiles(const Call& call, const Shape& shape, const Tiles& tiles, const ZCut& cut, Overlap overlap,
                  const T* from, T* to) {
  const auto kernel = heat3d::fused<F, T>;
  const std::size_t bytes = shared_bytes(call.problem, shape);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  const heat3d::Box box(call.problem.extents, pitch_of(call.problem, shape));
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(cut.blocks));
  config.blockDim = dim3(heat3d::warp_lanes, shape.block_y);
  config.dynamicSmemBytes = bytes;
  config.stream = stream_of(call);
  launch_next(config, overlap == Overlap::follows, kernel, box, tiles, cut, overlap, box.plane, from, to);
}

// The two launches of a pass where some tiles lie side by side: those have their own, which fills what the one before leaves
// of the multiprocessors.
template <typename F, typename T>
void launch_both(const Call& call, Shape shape, const Tiles& tiles, const ZCut& all, const T* from, T* to) {
  using Folded = typename F::Folded;
  const Extents& box = call.problem.extents;
  const bool overlap = tiles.whole() > 0 && may_overlap(1);
  if (tiles.whole() > 0)
    launch_tiles<F, T>(call, shape, tiles, heat3d::cut_some(all, box.z, 0, tiles.whole(), 0),
                       overlap ? Overlap::leads : Overlap::none, from, to);
  const Tiles folded = heat3d::folded_tiles_of(box.x, box.y, F::radius, shape);
  shape.rows = Folded::rows;
  launch_tiles<Folded, T>(call, shape, folded,
                          heat3d::cut_some(all, box.z, tiles.whole(), folded.last(), folded.whole()),
                          overlap ? Overlap::follows : Overlap::none, from, to);
}

// A pass of F::steps steps, of the last pass maybe fewer than the shape's.
template <typename F, typename T>
void launch_pass(const Call& call, Shape shape, int multiprocessors, const T* from, T* to) {
  shape.steps_per_pass = F::steps;
  const Tiles tiles = tiles_of(call.problem, shape);
  const ZCut all = heat3d::cut_of(call.problem, shape, multiprocessors);
  if constexpr (heat3d::folded_takes_all(F::lane_points, sizeof(T))) {
    launch_tiles<typename F::Folded, T>(call, shape, tiles, all, Overlap::none, from, to);
  } else {
    if constexpr (heat3d::may_fold(F::radius, F::steps, F::lane_points))
      if (tiles.folds > 1) return launch_both<F, T>(call, shape, tiles, all, from, to);
    launch_tiles<F, T>(call, shape, tiles, all, Overlap::none, from, to);
  }
}

// Calls action.operator()<F>() with what the kernel of this shape is compiled for, if there is one.
template <typename T, typename Action>
void with_fusion(const Problem& problem, const Shape& shape, int steps_left, Action action) {
  heat3d::Radii::with(heat3d::radius_of(problem), [&]<int radius>() {
    Steps::with(std::min(shape.steps_per_pass, steps_left), [&]<int steps>() {
      Rows::with(shape.rows, [&]<int rows>() {
        LanePoints::with(shape.lane_points, [&]<int points>() {
          if constexpr (heat3d::has_kernel(radius, steps, rows, points, sizeof(T))) {
            if (whole_rows(problem, shape))
              action.template operator()<heat3d::Fusion<radius, steps, rows, points, true>>();
            else if constexpr (heat3d::takes_any_width(radius, points, sizeof(T)))
              action.template operator()<heat3d::Fusion<radius, steps, rows, points, false>>();
          }
        });
      });
    });
  });
}

template <typename T>
void launch_passes(const Call& call, const Shape& shape, bool padded) {
  const int multiprocessors = sextant::multiprocessors();
  const std::int64_t passes = heat3d::passes_of(call.problem, shape), most = shape.steps_per_pass;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    auto [from, to] = heat3d::sweep_of(call, heat3d::workspace_of<T>(call), pass, passes);
    if (padded) from = heat3d::padded_array<T>(call, pass), to = heat3d::padded_array<T>(call, pass + 1);
    const int steps = static_cast<int>(std::min(heat3d::steps_of(call.problem) - pass * most, most));
    with_fusion<T>(call.problem, shape, steps, [&, from = from, to = to]<typename F>() {
      launch_pass<F, T>(call, shape, multiprocessors, from, to);
    });
  }
}

template <typename T>
void launch_all(const Call& call) {
  const auto shape = call.tuned<Shape>();
  if (whole_rows(call.problem, shape)) return launch_passes<T>(call, shape, false);
  heat3d::with_padded_rows<T>(call, heat3d::passes_of(call.problem, shape),
                              [&] { launch_passes<T>(call, shape, true); });
}

template <typename T>
void launch(const Call& call) {
  heat3d::play_or(call, launch_all<T>);
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  if (const char* reason = heat3d::refuse_shared_memory(shared_bytes(call.problem, shape))) return reason;
  const std::int64_t copies = whole_rows(call.problem, shape) ? 0 : 2;
  return heat3d::prepare_recorded(call, state, heat3d::passes_of(call.problem, shape) + copies,
                                  SEXTANT_FLOAT_DOUBLE(launch_all), workspace(call.problem, shape));
}

const char* constraint(const Problem& problem, const Shape& shape) {
  if (const char* reason = heat3d::refuse_by_point(problem)) return reason;
  if (heat3d::padded_pitch(problem) * problem.extents.y > INT32_MAX) return "planes of more than 2^31 points";
  return heat3d::refuse_shape(problem, shape);
}

void adapt(const Problem& problem, Shape& shape) { heat3d::adapt_shape(problem, heat3d::machine(), shape); }

}  // namespace

Variant heat3d_cuda_temporal() {
  Variant variant = heat3d::recorded_variant(
      "several steps a pass over memory, fused in a multiprocessor: overlapped tiles march along z");
  variant.tunables = tunables<Shape>({{"block_y", &Shape::block_y, heat3d::warp_choices()},
                                      {"rows", &Shape::rows, Rows::list()},
                                      {"steps_per_pass", &Shape::steps_per_pass, Steps::list()},
                                      {"waves", &Shape::waves, heat3d::wave_choices()},
                                      {"lane_points", &Shape::lane_points, LanePoints::list()},
                                      {"whole_first", &Shape::whole_first, {0, 1}}});
  variant.workspace = by_name<workspace>;
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<constraint>;
  variant.prepare = prepare;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
