// Several steps a pass over memory, within a multiprocessor: temporal.cuh has the kernel.
#include "recorded.cuh"
#include "temporal.cuh"

namespace sextant {
namespace {

using Rows = Choices<1, 2, 3, 4>;
using Steps = Choices<1, 2, 3, 4>;

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

struct Tuning {
  int warps, rows, steps, waves;
  explicit Tuning(const int* tuning)
      : warps(tuning[0]), rows(tuning[1]), steps(tuning[2]), waves(tuning[3]) {}
};

bool whole_rows(const Problem& problem) { return problem.extents.x % heat3d::lane_points == 0; }

std::size_t shared_bytes(const Problem& problem, const Tuning& tuning) {
  const int radius = heat3d::radius_of(problem), height = tuning.warps * tuning.rows;
  const int tile_rows = heat3d::ring_planes(radius, tuning.steps) * (height + 2 * radius) +
                        2 * (tuning.steps - 1) * height +
                        (heat3d::planes_kept(radius, tuning.steps) > 0 ? height : 0);
  return static_cast<std::size_t>(tile_rows * heat3d::tile_width) * element_size(problem.type);
}

Tiling tiling_x(const Problem& problem, const Tuning& tuning) {
  const int halo = tuning.steps * heat3d::radius_of(problem);
  return {problem.extents.x, heat3d::tile_width,
          (halo + heat3d::lane_points - 1) / heat3d::lane_points * heat3d::lane_points};
}
Tiling tiling_y(const Problem& problem, const Tuning& tuning) {  // the ring has the halo of the first step
  return {problem.extents.y, tuning.warps * tuning.rows, (tuning.steps - 1) * heat3d::radius_of(problem)};
}

// Parts of the box along z that give each multiprocessor `waves` blocks; planes of a part.
std::int64_t planes_of(const Problem& problem, const Tuning& tuning, int multiprocessors) {
  const std::int64_t tiles = std::int64_t{tiling_x(problem, tuning).count} * tiling_y(problem, tuning).count;
  const std::int64_t parts = std::max<std::int64_t>(1, std::int64_t{tuning.waves} * multiprocessors / tiles);
  return (problem.extents.z + parts - 1) / parts;
}

template <int radius, int steps, int rows, bool whole, typename T>
void launch_pass(const Call& call, Tuning tuning, const T* from, T* to) {
  const auto kernel = heat3d::fused<radius, steps, rows, whole, T>;
  tuning.steps = steps;
  const Problem& problem = call.problem;
  const Tiling x = tiling_x(problem, tuning), y = tiling_y(problem, tuning);
  const std::int64_t planes = planes_of(problem, tuning, heat3d::multiprocessors());
  const std::size_t bytes = shared_bytes(problem, tuning);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  kernel<<<dim3(x.count, y.count, blocks_for(problem.extents.z, planes)), dim3(32, tuning.warps), bytes,
           stream_of(call)>>>(heat3d::Box(problem.extents), static_cast<int>(planes), x.stride, y.stride,
                              from, to);
}

template <typename T>
void launch_all(const Call& call) {
  const Tuning tuning(call.tuning);
  const std::int64_t all = heat3d::steps_of(call.problem), passes = (all + tuning.steps - 1) / tuning.steps;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    const auto [from, to] = heat3d::sweep_of(call.array<const T>(0), call.array<T>(1),
                                             heat3d::workspace_of<T>(call), pass, passes);
    const auto left = static_cast<int>(std::min<std::int64_t>(tuning.steps, all - pass * tuning.steps));
    heat3d::Radii::with(heat3d::radius_of(call.problem), [&]<int radius>() {
      Steps::with(left, [&]<int steps>() {
        Rows::with(tuning.rows, [&]<int rows>() {
          if constexpr (has_kernel(radius, steps, rows, sizeof(T))) {
            if (whole_rows(call.problem))
              launch_pass<radius, steps, rows, true, T>(call, tuning, from, to);
            else if constexpr (rows == 1)
              launch_pass<radius, steps, 1, false, T>(call, tuning, from, to);
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
  const std::int64_t passes = (heat3d::steps_of(call.problem) + call.tuning[2] - 1) / call.tuning[2];
  return call.problem.type == ElementType::float64
             ? heat3d::prepare_recorded<double>(call, state, passes, launch_all<double>)
             : heat3d::prepare_recorded<float>(call, state, passes, launch_all<float>);
}

const char* constraint(const Problem& problem, const int* values) {
  const Tuning tuning(values);
  const int radius = heat3d::radius_of(problem), size = static_cast<int>(element_size(problem.type));
  if (!has_kernel(radius, tuning.steps, tuning.rows, size))
    return "more steps a pass than this radius has a kernel for";
  if (!whole_rows(problem) && tuning.rows != 1) return "rows of this length are taken one a thread";
  if (tuning.warps > heat3d::most_warps(radius, tuning.steps, tuning.rows, size))
    return "too many threads for the registers that each needs";
  if (shared_bytes(problem, tuning) > heat3d::most_shared_memory)
    return "more than 227 KiB of shared memory a block";
  if (tiling_x(problem, tuning).count == 0 || tiling_y(problem, tuning).count == 0)
    return "the tile is all halo";
  if (tiling_y(problem, tuning).count > 65535) return "more than 65535 blocks along y";
  if (problem.extents.x * problem.extents.y > INT32_MAX) return "planes of more than 2^31 points";
  return nullptr;
}

std::vector<int> warp_choices() { return {1, 2, 4, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20}; }

// The tile whose blocks, one a multiprocessor, have the least to do: rows computed and planes, halos
// included.
void adapt(const Problem& problem, int* values) {
  const int radius = heat3d::radius_of(problem);
  const bool floats = problem.type == ElementType::float32;
  values[1] = whole_rows(problem) && (floats || radius == 2) ? 2 : 1;
  values[2] = radius == 1 ? 3 : radius == 2 && floats ? 2 : 1;
  values[3] = 1;
  constexpr int multiprocessors = 132;  // an H200's, as the tunings
  std::int64_t least = 0;
  int best = 1;
  for (const int warps : warp_choices()) {
    values[0] = warps;
    if (constraint(problem, values)) continue;
    const Tuning tuning(values);
    const std::int64_t planes = planes_of(problem, tuning, multiprocessors);
    const std::int64_t blocks = (problem.extents.z + planes - 1) / planes * tiling_x(problem, tuning).count *
                                tiling_y(problem, tuning).count;
    // A plane's time: rows computed, rows read, and what it takes however few they are.
    const std::int64_t height = tuning.warps * tuning.rows,
                       rows = height * tuning.steps + height + 2 * radius,
                       work = (blocks + multiprocessors - 1) / multiprocessors *
                              (planes + (tuning.steps - 1) * radius) * (rows + 12);
    if (least == 0 || work < least) least = work, best = warps;
  }
  values[0] = best;
}

}  // namespace

Variant heat3d_cuda_temporal() {
  Variant variant = heat3d::device_variant(
      "several steps a pass over memory, fused in a multiprocessor: overlapped tiles march along z");
  variant.tunables = {{"block_y", warp_choices(), 8},
                      {"rows", Rows::list(), 2},
                      {"steps_per_pass", Steps::list(), 2},
                      {"waves", {1, 2, 4}, 1}};
  variant.adapt = adapt;
  variant.constraint = constraint;
  variant.prepare = prepare;
  variant.release = heat3d::release_recorded;
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
