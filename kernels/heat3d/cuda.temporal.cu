// Variant cuda.temporal: several fused steps per pass over memory (2.5-D streaming with overlapped tiles). A
// block computes a tile of 256 or 128 points along x and some rows along y, and marches along z. Stage 1
// computes the first step from planes in a ring buffer, which asynchronous copies fill ahead. Stage k
// computes step k, R planes behind stage k - 1, whose results stay in registers.
// With each stage, a tile loses R points at edges where it adjoins another tile. The neighbouring block
// computes these points as well, so blocks do not wait for each other. A block has one barrier per plane. The
// costs are the redundant work and the registers.
#include <utility>

#include "recorded.cuh"
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
  return problem.extents.x % shape.points_per_lane == 0;
}

// Returns true if all rows start at vector boundaries. If not, passes alternate between arrays with padded
// rows.
bool even_rows(const Problem& problem) {
  return problem.extents.x * static_cast<std::int64_t>(element_size(problem.type)) % 16 == 0;
}

// Returns true if u and v are copied to and from padded arrays. If not, the first pass reads u and the last
// pass writes v point by point.
bool copies_rows(const Problem& problem) {
  const auto size = static_cast<int>(element_size(problem.type));
  return !even_rows(problem) && !heat3d::moves_points(heat3d::radius_of(problem), size);
}

// Returns the bytes of the workspace. It holds one array, which alternates with v, or the padded arrays.
std::int64_t workspace(const Problem& problem, const Shape& shape) {
  const std::int64_t passes = heat3d::passes_of(problem, shape);
  if (copies_rows(problem)) return heat3d::padded_bytes(problem, 2);
  if (!even_rows(problem)) return heat3d::padded_bytes(problem, std::min<std::int64_t>(passes - 1, 2));
  return passes > 1 ? heat3d::workspace_bytes(problem) : 0;
}

// An array that a pass reads or writes, and its row pitch in elements.
template <typename T>
struct Array {
  T* at;
  std::int64_t pitch;
};

std::size_t shared_bytes(const Problem& problem, const Shape& shape) {
  return heat3d::shared_points(heat3d::radius_of(problem), shape) * element_size(problem.type);
}

Tiles tiles_of(const Problem& problem, const Shape& shape) {
  return heat3d::tiles_of(problem.extents.x, problem.extents.y, heat3d::radius_of(problem), shape);
}

// Launches the kernel for the tiles of `cut`. `shape` must agree with the compile-time parameters F.
template <typename F, typename T>
void launch_tiles(const Call& call, const Shape& shape, const Tiles& tiles, const ZCut& cut, Overlap overlap,
                  const Array<const T>& from, const Array<T>& to) {
  const auto kernel = heat3d::fused<F, T>;
  const std::size_t bytes = shared_bytes(call.problem, shape);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  const heat3d::Box box(call.problem.extents, from.pitch);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(cut.blocks));
  config.blockDim = dim3(heat3d::warp_lanes, shape.block_y);
  config.dynamicSmemBytes = bytes;
  config.stream = stream_of(call);
  launch_next(config, overlap == Overlap::follows, kernel, box, tiles, cut, overlap, to.pitch * box.y,
              static_cast<int>(to.pitch), from.at, to.at);
}

// Launches a pass in two parts: whole tiles, and narrow tiles of which a block computes several side by side.
// Blocks of the second launch fill multiprocessors that the first one leaves idle.
template <typename F, typename T>
void launch_both(const Call& call, Shape shape, const Tiles& tiles, const heat3d::PassCut& cut,
                 const Array<const T>& from, const Array<T>& to) {
  using Folded = typename F::Folded;
  const Extents& box = call.problem.extents;
  const bool overlap = cut.whole.blocks > 0 && may_overlap(1);
  const Overlap first = overlap ? Overlap::leads : Overlap::none,
                second = overlap ? Overlap::follows : Overlap::none;
  const auto launch_whole = [&](Overlap order) {
    if (cut.whole.blocks > 0) launch_tiles<F, T>(call, shape, tiles, cut.whole, order, from, to);
  };
  if (!cut.folded_first) launch_whole(first);
  Shape of_folded = shape;
  of_folded.rows = Folded::rows;
  launch_tiles<Folded, T>(call, of_folded, heat3d::folded_tiles_of(box.x, box.y, F::radius, shape),
                          cut.folded, cut.folded_first ? first : second, from, to);
  if (cut.folded_first) launch_whole(second);
}

// Launches a pass of F::steps steps. The last pass of a call may have fewer steps than `shape` says.
template <typename F, typename T>
void launch_pass(const Call& call, Shape shape, int multiprocessors, const Array<const T>& from,
                 const Array<T>& to) {
  shape.steps_per_pass = F::steps;
  const Tiles tiles = tiles_of(call.problem, shape);
  const heat3d::PassCut cut = heat3d::cut_of(call.problem, shape, multiprocessors);
  if constexpr (heat3d::folded_takes_all(F::points_per_lane, sizeof(T))) {
    launch_tiles<typename F::Folded, T>(call, shape, tiles, cut.whole, Overlap::none, from, to);
  } else {
    if constexpr (heat3d::may_fold(F::radius, F::steps, F::points_per_lane))
      if (heat3d::launches_folded(call.problem, shape))
        return launch_both<F, T>(call, shape, tiles, cut, from, to);
    launch_tiles<F, T>(call, shape, tiles, cut.whole, Overlap::none, from, to);
  }
}

// Calls action.operator()<F>() if a kernel for this shape exists. F contains the kernel's compile-time
// parameters.
template <typename T, typename Action>
void with_fusion(const Problem& problem, const Shape& shape, int steps_left, Action action) {
  heat3d::Radii::with(heat3d::radius_of(problem), [&]<int radius>() {
    Steps::with(std::min(shape.steps_per_pass, steps_left), [&]<int steps>() {
      Rows::with(shape.rows, [&]<int rows>() {
        LanePoints::with(shape.points_per_lane, [&]<int points>() {
          if constexpr (heat3d::has_kernel(radius, steps, rows, points, sizeof(T))) {
            if (whole_rows(problem, shape))
              action.template operator()<heat3d::Fusion<radius, steps, rows, points, true>>();
            else if constexpr (points == 4)
              action.template operator()<heat3d::Fusion<radius, steps, rows, points, false, false,
                                                        heat3d::moves_points(radius, sizeof(T))>>();
            else if constexpr (heat3d::takes_parts_of_threads(radius, sizeof(T)))
              action.template operator()<heat3d::Fusion<radius, steps, rows, points, false>>();
          }
        });
      });
    });
  });
}

// Returns the arrays that pass number `pass` of `passes` reads and writes.
template <typename T>
std::pair<Array<const T>, Array<T>> arrays_of(const Call& call, std::int64_t pass, std::int64_t passes) {
  const std::int64_t x = call.problem.extents.x, padded = heat3d::padded_pitch(call.problem);
  if (even_rows(call.problem)) {
    const auto [from, to] = heat3d::sweep_of(call, heat3d::workspace_of<T>(call), pass, passes);
    return {{from, x}, {to, x}};
  }
  Array<const T> from = {call.array<const T>(0), x};
  Array<T> to = {call.array<T>(1), x};
  const bool copies = copies_rows(call.problem);  // true if u is copied to padded array 0 first
  const std::int64_t index = copies ? pass + 1 : pass;
  if (copies || pass > 0) from = {heat3d::padded_array<T>(call, index + 1), padded};
  if (copies || pass + 1 < passes) to = {heat3d::padded_array<T>(call, index), padded};
  return {from, to};
}

template <typename T>
void launch_passes(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const int multiprocessors = sextant::multiprocessors();
  const std::int64_t passes = heat3d::passes_of(call.problem, shape), most = shape.steps_per_pass;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    const auto [from, to] = arrays_of<T>(call, pass, passes);
    const int steps = static_cast<int>(std::min(heat3d::steps_of(call.problem) - pass * most, most));
    with_fusion<T>(call.problem, shape, steps, [&, from = from, to = to]<typename F>() {
      launch_pass<F, T>(call, shape, multiprocessors, from, to);
    });
  }
}

template <typename T>
void launch_all(const Call& call) {
  if (!copies_rows(call.problem)) return launch_passes<T>(call);
  heat3d::with_padded_rows<T>(call, heat3d::passes_of(call.problem, call.tuned<Shape>()),
                              [&] { launch_passes<T>(call); });
}

template <typename T>
void launch(const Call& call) {
  heat3d::play_or(call, launch_all<T>);
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  if (const char* reason = heat3d::refuse_shared_memory(shared_bytes(call.problem, shape))) return reason;
  const std::int64_t copies = copies_rows(call.problem) ? 2 : 0;
  return heat3d::prepare_recorded(call, state, heat3d::passes_of(call.problem, shape) + copies,
                                  SEXTANT_FLOAT_DOUBLE(launch_all), workspace(call.problem, shape));
}

const char* constraint(const Problem& problem, const Shape& shape) {
  if (const char* reason = heat3d::refuse_by_point(problem)) return reason;
  if (heat3d::padded_pitch(problem) * problem.extents.y > INT32_MAX) return "a plane has 2^31 points or more";
  return heat3d::refuse_shape(problem, shape);
}

void adapt(const Problem& problem, Shape& shape) { heat3d::adapt_shape(problem, heat3d::machine(), shape); }

}  // namespace

std::vector<Variant> heat3d_cuda_temporal() {
  Variant variant = heat3d::recorded_variant(
      "several steps per pass over memory, fused in a multiprocessor; overlapped tiles march along z");
  variant.name = "temporal";
  variant.tunables = tunables<Shape>({{"block_y", &Shape::block_y, heat3d::warp_choices()},
                                      {"rows", &Shape::rows, Rows::list()},
                                      {"steps_per_pass", &Shape::steps_per_pass, Steps::list()},
                                      {"waves", &Shape::waves, heat3d::wave_choices()},
                                      {"points_per_lane", &Shape::points_per_lane, LanePoints::list()},
                                      {"uncut_tiles_first", &Shape::uncut_tiles_first, {0, 1}},
                                      {"long_tiles_first", &Shape::long_tiles_first, {0, 1}}});
  variant.workspace = by_name<workspace>;
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<constraint>;
  variant.prepare = prepare;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return {variant};
}

}  // namespace sextant
