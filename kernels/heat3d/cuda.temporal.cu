// Several steps a pass over memory, fused within a multiprocessor. A block owns a tile of 256 points along x and some
// rows along y, and marches along z with a pipeline of stages: stage 1 takes planes from a ring in shared memory,
// which copies fill ahead, and computes step 1; stage k keeps what stage k - 1 gave it in registers, planes z-R … z+R
// of each thread's own points, and computes step k, R planes behind. The block's threads wait for each other once a
// plane, blocks for nobody. Each stage loses R points at those edges of the tile that are not the box's, which the
// neighbouring block computes, too (overlapped tiling). So memory is read and written once in `steps_per_pass` steps;
// the price is that work done twice, and registers.
#include "recorded.cuh"
#include "temporal.cuh"

namespace sextant {
namespace {

using Rows = Choices<1, 2, 3, 4>;
using Steps = Choices<1, 2, 3, 4>;

// Warps of a block, one above the other, and rows of a warp: the tile's height; steps of a pass; waves of blocks.
struct Shape {
  int block_y = 8, rows = 2, steps_per_pass = 2, waves = 1;
  int height() const { return block_y * rows; }
};

// Not with so many steps that a tile, which shared memory and registers limit, is nearly all halo.
constexpr bool has_kernel(int radius, int steps, int rows, int element_bytes) {
  return heat3d::most_warps(radius, steps, rows, element_bytes) >= 6 &&
         (steps - 1) * radius <= (radius == 1 ? 3 : 4);
}

// Where tiles of `size` points along an axis of n begin, whose outermost `halo` points at inner edges are not
// stored.
struct Tiling {
  int stride, count;
  Tiling(std::int64_t n, int size, int halo)
      : stride(size - 2 * halo),
        count(n <= size    ? 1
              : stride > 0 ? static_cast<int>((n - size + stride - 1) / stride) + 1
                           : 0) {}
};

bool whole_rows(const Problem& problem) { return problem.extents.x % heat3d::lane_points == 0; }

std::size_t shared_bytes(const Problem& problem, const Shape& shape) {
  const int radius = heat3d::radius_of(problem), steps = shape.steps_per_pass, height = shape.height();
  const int tile_rows = heat3d::ring_planes(radius, steps) * (height + 2 * radius) +
                        2 * (steps - 1) * height + (heat3d::planes_kept(radius, steps) > 0 ? height : 0);
  return static_cast<std::size_t>(tile_rows * heat3d::tile_width) * element_size(problem.type);
}

Tiling tiling_x(const Problem& problem, const Shape& shape) {
  const int halo = shape.steps_per_pass * heat3d::radius_of(problem);
  return {problem.extents.x, heat3d::tile_width,
          (halo + heat3d::lane_points - 1) / heat3d::lane_points * heat3d::lane_points};
}
Tiling tiling_y(const Problem& problem, const Shape& shape) {  // the ring has the halo of the first step
  return {problem.extents.y, shape.height(), (shape.steps_per_pass - 1) * heat3d::radius_of(problem)};
}

std::int64_t tiles_of(const Problem& problem, const Shape& shape) {
  return std::int64_t{tiling_x(problem, shape).count} * tiling_y(problem, shape).count;
}

// Planes of a part along z, where each multiprocessor gets `waves` blocks.
std::int64_t planes_of(const Problem& problem, const Shape& shape, int multiprocessors) {
  return heat3d::planes_of_part(problem.extents.z, tiles_of(problem, shape),
                                std::int64_t{shape.waves} * multiprocessors);
}

// A pass of `steps` steps, of the last pass maybe fewer than the shape's.
template <int radius, int steps, int rows, bool whole, typename T>
void launch_pass(const Call& call, Shape shape, int multiprocessors, const T* from, T* to) {
  const auto kernel = heat3d::fused<radius, steps, rows, whole, T>;
  shape.steps_per_pass = steps;
  const Problem& problem = call.problem;
  const Tiling x = tiling_x(problem, shape), y = tiling_y(problem, shape);
  const std::int64_t planes = planes_of(problem, shape, multiprocessors);
  const std::size_t bytes = shared_bytes(problem, shape);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  kernel<<<dim3(x.count, y.count, blocks_for(problem.extents.z, planes)), dim3(32, shape.block_y), bytes,
           stream_of(call)>>>(heat3d::Box(problem.extents), static_cast<int>(planes), x.stride, y.stride,
                              from, to);
}

template <typename T>
void launch_all(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const int most = shape.steps_per_pass, multiprocessors = sextant::multiprocessors();
  const std::int64_t all = heat3d::steps_of(call.problem), passes = (all + most - 1) / most;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    const auto [from, to] = heat3d::sweep_of(call, heat3d::workspace_of<T>(call), pass, passes);
    const auto left = static_cast<int>(std::min<std::int64_t>(most, all - pass * most));
    heat3d::Radii::with(heat3d::radius_of(call.problem), [&]<int radius>() {
      Steps::with(left, [&]<int steps>() {
        Rows::with(shape.rows, [&]<int rows>() {
          if constexpr (has_kernel(radius, steps, rows, sizeof(T))) {
            if (whole_rows(call.problem))
              launch_pass<radius, steps, rows, true, T>(call, shape, multiprocessors, from, to);
            else if constexpr (rows == 1)
              launch_pass<radius, steps, 1, false, T>(call, shape, multiprocessors, from, to);
          }
        });
      });
    });
  }
}

template <typename T>
void launch(const Call& call) {
  heat3d::play_or(call, launch_all<T>);
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  if (const char* reason = heat3d::refuse_shared_memory(shared_bytes(call.problem, shape))) return reason;
  const std::int64_t most = shape.steps_per_pass, passes = (heat3d::steps_of(call.problem) + most - 1) / most;
  return heat3d::prepare_recorded(call, state, passes, SEXTANT_FLOAT_DOUBLE(launch_all));
}

const char* constraint(const Problem& problem, const Shape& shape) {
  if (const char* reason = heat3d::refuse_by_point(problem)) return reason;
  const int radius = heat3d::radius_of(problem), steps = shape.steps_per_pass,
            size = static_cast<int>(element_size(problem.type));
  if (!has_kernel(radius, steps, shape.rows, size))
    return "more steps a pass than this radius has a kernel for";
  if (!whole_rows(problem) && shape.rows != 1) return "rows of this length are taken one a thread";
  if (shape.block_y > heat3d::most_warps(radius, steps, shape.rows, size))
    return "too many threads for the registers that each needs";
  if (shared_bytes(problem, shape) > heat3d::most_shared_memory)
    return "more than 227 KiB of shared memory a block";
  if (tiles_of(problem, shape) == 0) return "the tile is all halo";
  if (tiling_y(problem, shape).count > 65535) return "more than 65535 blocks along y";
  if (problem.extents.x * problem.extents.y > INT32_MAX) return "planes of more than 2^31 points";
  return nullptr;
}

std::vector<int> warp_choices() { return {1, 2, 4, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20}; }

// What the busiest multiprocessor does, halos included: a plane's time is rows computed, rows read, and what it takes
// however few they are.
std::int64_t work_of(const Problem& problem, const Shape& shape, int multiprocessors) {
  const int radius = heat3d::radius_of(problem), steps = shape.steps_per_pass;
  const std::int64_t planes = planes_of(problem, shape, multiprocessors);
  const std::int64_t blocks = (problem.extents.z + planes - 1) / planes * tiles_of(problem, shape);
  const std::int64_t rows = std::int64_t{shape.height()} * steps + shape.height() + 2 * radius;
  return (blocks + multiprocessors - 1) / multiprocessors * (planes + (steps - 1) * radius) * (rows + 12);
}

// The tile whose blocks, one a multiprocessor, have the least to do; the steps a pass and rows that were fastest on
// an H200.
void adapt(const Problem& problem, Shape& shape) {
  const int radius = heat3d::radius_of(problem), multiprocessors = sextant::multiprocessors();
  const bool floats = problem.type == ElementType::float32;
  shape.rows = whole_rows(problem) && (floats || radius == 2) ? 2 : 1;
  shape.steps_per_pass = radius == 1 ? 3 : radius == 2 && floats ? 2 : 1;
  shape.waves = 1;
  std::int64_t least = 0;
  int best = 1;
  for (const int warps : warp_choices()) {
    shape.block_y = warps;
    if (constraint(problem, shape)) continue;
    const std::int64_t work = work_of(problem, shape, multiprocessors);
    if (least == 0 || work < least) least = work, best = warps;
  }
  shape.block_y = best;
}

}  // namespace

Variant heat3d_cuda_temporal() {
  Variant variant = heat3d::recorded_variant(
      "several steps a pass over memory, fused in a multiprocessor: overlapped tiles march along z");
  variant.tunables = tunables<Shape>({{"block_y", &Shape::block_y, warp_choices()},
                                      {"rows", &Shape::rows, Rows::list()},
                                      {"steps_per_pass", &Shape::steps_per_pass, Steps::list()},
                                      {"waves", &Shape::waves, {1, 2, 4}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<constraint>;
  variant.prepare = prepare;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
