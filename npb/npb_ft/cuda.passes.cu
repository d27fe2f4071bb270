#include "in_bricks.cuh"
#include "in_planes.cuh"
#include "suite/tunables.hpp"

namespace sextant {

namespace npb_ft {

const char* set_up_x(const Problem& problem, const Tuning& tuning, Launch<XPass>& pass) {
  const Extents& e = problem.extents;
  const int lines = lines_of(problem, tuning), log_width = log2_of(brick_of(problem, tuning).width);
  with_line<16>(e.x, tuning.points_x, [&]<int n, int points>() {
    const bool pairs = tuning.paired_exchange_x;
    pass.kernel = pairs ? transform_x<n, points, Pair> : transform_x<n, points, double>;
    pass.block = dim3(static_cast<unsigned>(n / points * lines));
    pass.shared_bytes = static_cast<int>(pairs ? sizeof(Pair) : sizeof(double)) * lines *
                        x_line_elements(n, points, log_width);
  });
  return pass.set_up(e.y * e.z / lines);
}

const char* set_up_y(const Problem& problem, const Tuning& tuning, Launch<YzPass>& pass) {
  return set_up_yz(problem, tuning.points_y, problem.extents.y, brick_of(problem, tuning).width, pass);
}

// Sets the number of thread blocks: as many as can be resident at once, at most one per tile.
static const char* set_blocks(const Planes& planes, Launch<PlanesPass>& pass) {
  int device = 0, multiprocessors = 0, blocks = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, pass.kernel, static_cast<int>(pass.block.x), static_cast<std::size_t>(pass.shared_bytes));
  pass.blocks = static_cast<unsigned>(
      std::min(2 * planes.count * planes.tiles, std::int64_t{multiprocessors} * std::max(blocks, 1)));
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

template <bool generate>
static const char* set_up_xy_of(const Problem& problem, const Planes& planes, Launch<PlanesPass>& pass) {
  with_line<16>(problem.extents.x, points_in_planes, [&]<int n, int points>() {
    if constexpr (has_kernel(n, n)) {
      pass.kernel =
          planes.rows == n ? transform_planes<n, n, generate> : transform_planes<n / 2, n, generate>;
      pass.block = dim3(static_cast<unsigned>(planes.tile / points));
      pass.shared_bytes = planes_bytes(planes.rows, n, planes.tile);
    }
  });
  const char* why_not = pass.set_up(1);
  return why_not ? why_not : set_blocks(planes, pass);
}

const char* set_up_xy(const Problem& problem, const Tuning& tuning, Launch<PlanesPass>& start,
                      Launch<PlanesPass>& step) {
  const Planes planes(problem, tuning);
  const char* why_not = set_up_xy_of<true>(problem, planes, start);
  return why_not ? why_not : set_up_xy_of<false>(problem, planes, step);
}

}  // namespace npb_ft

namespace {

using namespace npb_ft;

__global__ void add_captured(const Pair* captured, double scale, Complex* sums) {
  captured += static_cast<std::int64_t>(blockIdx.x) * checksum_points;
  add_points<Pair>([=](int j) { return captured[j - 1]; }, scale, sums);
}

const char* set_up_bricks(const Problem& problem, const Tuning& tuning, State& state) {
  const Extents& e = problem.extents;
  const Brick brick = brick_of(problem, tuning);
  const char* why_not = set_up_x(problem, tuning, state.x);
  if (!why_not) why_not = set_up_y(problem, tuning, state.y);
  if (!why_not) why_not = set_up_yz(problem, tuning.points_z, e.z, brick.width * brick.height, state.z);
  return why_not;
}

const char* set_up_planes(const Problem& problem, const Tuning& tuning, State& state) {
  const Planes planes(problem, tuning);
  if (const char* why_not = set_up_xy(problem, tuning, state.start_planes, state.planes)) return why_not;
  const auto set_up_z = planes.parts == 1 ? set_up_yz<false> : set_up_yz<true>;
  return set_up_z(problem, tuning.points_z, problem.extents.z, planes.columns(), state.z);
}

template <typename Program>
void run(const Call& call) {
  const Program program(call);
  const State& state = program.state;
  const Extents& e = program.e;
  const int steps = static_cast<int>(iterations(call.problem));
  call.phase("setup");
  fill_decay<<<blocks_for(steps * axis_entries(e), 256), 256, 0, program.stream>>>(e, steps,
                                                                                   state.decay.data);
  program.set_up();
  program.start();
  program.forward_z(program.along_z());
  for (int t = 1; t <= steps; ++t) {
    program.inverse_z(program.along_z(), t);
    program.finish(t);
  }
  call.phase("checksum");
  add_captured<<<static_cast<unsigned>(steps), 256, 0, program.stream>>>(
      state.captured.data, 1.0 / static_cast<double>(e.count()), call.array<Complex>(checksums));
  call.phase("");
}

void launch(const Call& call) {
  call.tuned<Tuning>().fuse_xy ? run<PlanePasses>(call) : run<BrickPasses>(call);
}

const char* prepare(const Call& call, void** state) {
  const Problem& problem = call.problem;
  const auto tuning = call.tuned<Tuning>();
  auto made = std::make_unique<State>();
  const std::int64_t entries = axis_entries(problem.extents), steps = iterations(problem);
  if (const char* why_not = made->fields.make(call)) return why_not;
  // If w is an output, it must have the natural order, so v needs its own memory. Otherwise v is stored in w.
  const bool apart = with_field(problem);
  if (apart && !made->v_memory.allocate(problem.extents.count())) return "device memory ran out";
  made->v = apart ? made->v_memory.data : made->fields.w;
  const std::size_t counters = tuning.fuse_xy ? counter_bytes(problem, tuning) / sizeof(unsigned) : 0;
  if (!made->factors.allocate(entries) || !made->decay.allocate(steps * entries) ||
      !made->captured.allocate(steps * checksum_points) ||
      !made->counters.allocate(static_cast<std::int64_t>(counters)))
    return "device memory ran out";
  if (const char* why_not =
          tuning.fuse_xy ? set_up_planes(problem, tuning, *made) : set_up_bricks(problem, tuning, *made))
    return why_not;
  *state = made.release();
  return nullptr;
}

const char* constraint(const Problem& problem, const Tuning& tuning) {
  return tuning.fuse_xy ? refuse_planes(problem, tuning) : refuse_bricks(problem, tuning);
}

std::int64_t workspace(const Problem& problem, const Tuning& tuning) {
  const std::int64_t entries = axis_entries(problem.extents), steps = iterations(problem);
  const std::int64_t tables = entries * (16 + 8 * steps) + 16 * steps * checksum_points;
  const std::size_t counters = tuning.fuse_xy ? counter_bytes(problem, tuning) : 0;
  return 2 * field_bytes(problem) + tables + static_cast<std::int64_t>(counters);
}

}  // namespace

std::vector<Variant> npb_ft_cuda_passes() {
  return {{.name = "passes",
           .description =
               "one fused pass per dimension, lines in registers; field in bricks, or x and y in one kernel",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Tuning>({{"points_x", &Tuning::points_x, {16}},
                                         {"points_y", &Tuning::points_y, {16, 32}},
                                         {"points_z", &Tuning::points_z, {32}},
                                         {"width", &Tuning::width, {1, 2, 4, 8, 16}},
                                         {"height", &Tuning::height, {1, 2, 4}},
                                         {"depth", &Tuning::depth, {1, 2, 4, 8}},
                                         {"threads_x", &Tuning::threads_x, {32, 64, 128, 256, 512}},
                                         {"fuse_xy", &Tuning::fuse_xy, {0, 1}},
                                         {"plane_slices", &Tuning::plane_slices, {1, 2}},
                                         {"tile", &Tuning::tile, {2048, 4096}},
                                         {"column_lag_mib", &Tuning::column_lag_mib, {0, 8, 12, 16, 20}},
                                         {"paired_exchange_x", &Tuning::paired_exchange_x, {0, 1}}}),
           .launch = {.float64 = launch},
           .constraint = by_name<constraint>,
           .adapt = by_name<fit>,
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
