#include "passes.cuh"

namespace sextant {
namespace {

using namespace npb_ft;

std::size_t counter_bytes(const Problem& problem, const int* tuning) {
  if (!tuning[together]) return 0;
  return sizeof(unsigned) *
         static_cast<std::size_t>((iterations(problem) + 1) * Planes(problem, tuning).counters());
}

void launch(const Call& call) {
  const Program program(call);
  const State& state = program.state;
  const Extents& e = program.e;
  const cudaStream_t stream = program.stream;
  const int steps = static_cast<int>(iterations(call.problem));
  call.phase("setup");
  fill_decay<<<blocks_for(steps * axis_entries(e), 256), 256, 0, stream>>>(e, steps, state.decay.data);
  const bool planes = call.tuning[together];
  const Extents lines = {e.x, planes ? program.flat.rows : e.y, e.z};
  if (planes) cudaMemsetAsync(state.counters.data, 0, counter_bytes(call.problem, call.tuning), stream);
  fill_factors<<<blocks_for(axis_entries(e), 256), 256, 0, stream>>>(
      lines, planes ? points_in_planes : call.tuning[points_x],
      planes ? points_in_planes : call.tuning[points_y], call.tuning[points_z], state.factors.data);
  program.forward();
  for (int t = 1; t <= steps; ++t) program.step(t);
  call.phase("checksum");
  add_captured<<<static_cast<unsigned>(steps), 256, 0, stream>>>(
      state.captured.data, 1.0 / static_cast<double>(e.count()), call.array<Complex>(checksums));
  call.phase("");
}

void release(void* state) { delete static_cast<State*>(state); }

std::int64_t table_bytes(const Problem& problem) {
  const std::int64_t entries = axis_entries(problem.extents), steps = iterations(problem);
  return entries * (16 + 8 * steps) + 16 * steps * checksum_points;
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  const std::int64_t entries = axis_entries(call.problem.extents), steps = iterations(call.problem);
  if (const char* why_not = made->fields.make(call)) return why_not;
  // w must be in its natural order where it is an output; else it is left in v's.
  const bool apart = with_field(call.problem);
  if (apart && !made->v_memory.allocate(call.problem.extents.count())) return "device memory ran out";
  made->v = apart ? made->v_memory.data : made->fields.w;
  if (!made->factors.allocate(entries) || !made->decay.allocate(steps * entries) ||
      !made->captured.allocate(steps * checksum_points) ||
      !made->counters.allocate(
          static_cast<std::int64_t>(counter_bytes(call.problem, call.tuning) / sizeof(unsigned))))
    return "device memory ran out";
  if (const char* why_not = set_up(call, *made)) return why_not;
  *state = made.release();
  return nullptr;
}

// Registers for 8192 elements are what a multiprocessor has.
const char* constraint(const Problem& problem, const int* tuning) {
  const Extents& e = problem.extents;
  const Brick brick = brick_of(problem, tuning);
  if (tuning[together]) {
    const Planes planes(problem, tuning);
    if (!has_kernel(planes.rows, e.x)) return "no kernel for both passes within planes of this shape";
    if (e.z * planes.width * planes.parts > 8192) return "more than 8192 elements a block along z";
    if (planes.width * planes.parts > 32) return "more than 32 columns along z";
    return nullptr;
  }
  if (std::max(e.y, e.z * brick.height) * brick.width > 8192) return "more than 8192 elements a block";
  if (e.x * lines_of(problem, tuning) > 8192) return "more than 8192 elements a block along x";
  return nullptr;
}

// What won on an H200. Planes of at most 2 MiB, or halves of such, are transformed together. Else bricks: of
// 512 bytes for lines of 512 and less; smaller ones for longer lines, as two blocks along y should fit a
// multiprocessor and one along z must. Two long lines along x are exchanged in whole, which spares barriers.
void adapt(const Problem& problem, int* tuning) {
  const Extents& e = problem.extents;
  const std::int64_t plane = e.x * e.y;
  const int halves = plane > 1 << 17 ? 2 : 1;
  if (plane <= 1 << 18 && e.z <= 512 && has_kernel(e.y / halves, e.x)) {
    tuning[together] = 1;
    tuning[npb_ft::parts] = halves;
    tuning[width] = halves == 2 ? 4 : 16;
    return;
  }
  if (std::max(e.y, e.z) > 512) tuning[width] = 4;
  if (e.z > 1024) tuning[height] = 1;
  if (e.x > 1024) tuning[threads_x] = 256, tuning[pairs_x] = 1;
  if (e.y > 512) tuning[points_y] = 32;
}

}  // namespace

Variant npb_ft_cuda_passes() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "lines in registers, all else fused; two dimensions meet in the cache, or fields lie in bricks";
  variant.tunables = {{"points_x", {8, 16, 32}, 16},
                      {"points_y", {8, 16, 32}, 16},
                      {"points_z", {8, 16, 32}, 32},
                      {"width", {1, 2, 4, 8, 16}, 8},
                      {"height", {1, 2, 4}, 2},
                      {"depth", {1, 2, 4, 8}, 2},
                      {"threads_x", {32, 64, 128, 256, 512}, 128},
                      {"together", {0, 1}, 0},
                      {"parts", {1, 2}, 1},
                      {"tile", {2048, 4096}, 2048},
                      {"ahead", {0, 8, 12, 16, 20}, 16},
                      {"pairs_x", {0, 1}, 0}};
  variant.launch = {.float64 = launch};
  variant.constraint = constraint;
  variant.adapt = adapt;
  variant.prepare = prepare;
  variant.release = release;
  variant.workspace = [](const Problem& problem, const int* tuning) {
    return 2 * field_bytes(problem) + table_bytes(problem) +
           static_cast<std::int64_t>(counter_bytes(problem, tuning));
  };
  return variant;
}

}  // namespace sextant
