#include "passes.cuh"

namespace sextant {
namespace {

using namespace npb_ft;

void launch(const Call& call) {
  const Program program(call);
  const State& state = program.state;
  const Extents& e = program.e;
  const cudaStream_t stream = stream_of(call);
  const int steps = static_cast<int>(iterations(call.problem));
  call.phase("setup");
  fill_decay<<<blocks_for(steps * axis_entries(e), 256), 256, 0, stream>>>(e, steps, state.decay.data);
  fill_factors<<<blocks_for(axis_entries(e), 256), 256, 0, stream>>>(
      e, call.tuning[points_x], call.tuning[points_yz], state.factors.data);
  program.forward(stream, state.fields.u);
  for (int t = 1; t <= steps; ++t) program.step(stream, t, state.fields.u, state.fields.w);
  call.phase("checksum");
  add_captured<<<static_cast<unsigned>(steps), 256, 0, stream>>>(
      state.captured.data, 1.0 / static_cast<double>(e.count()), call.array<Complex>(checksums));
  call.phase("");
}

// More shared memory than the 48 KiB that every kernel may have must be asked for.
const char* allow_shared_memory(const Call& call) {
  const Extents& e = call.problem.extents;
  cudaError_t error = cudaSuccess;
  const auto allow = [&](const void* kernel, int elements) {
    const cudaError_t one = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                 static_cast<int>(sizeof(Pair)) * elements);
    if (one != cudaSuccess) error = one;
  };
  with_line(e.x, call.tuning[points_x], [&]<int n, int points>() {
    allow(reinterpret_cast<const void*>(transform_x<n, points>),
          lines_of(call.problem, call.tuning) * exchange_elements(n, points));
  });
  for (const std::int64_t length : {e.y, e.z})
    with_line(length, call.tuning[points_yz], [&]<int n, int points>() {
      allow(reinterpret_cast<const void*>(transform_yz<n, points>),
            columns_of(call.problem, call.tuning) * exchange_elements(n, points));
    });
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
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
  if (!made->factors.allocate(entries) || !made->decay.allocate(steps * entries) ||
      !made->captured.allocate(steps * checksum_points))
    return "device memory ran out";
  if (const char* why_not = allow_shared_memory(call)) return why_not;
  if (call.tuning[chunk]) {
    bool good = cudaEventCreateWithFlags(&made->begun, cudaEventDisableTiming) == cudaSuccess;
    for (int i = 0; i < side_streams; ++i)
      good = good && cudaStreamCreateWithFlags(&made->streams[i], cudaStreamNonBlocking) == cudaSuccess &&
             cudaEventCreateWithFlags(&made->ended[i], cudaEventDisableTiming) == cudaSuccess;
    if (!good) return "CUDA gave no streams";
  }
  *state = made.release();
  return nullptr;
}

const char* constraint(const Problem& problem, const int* tuning) {
  const Extents& e = problem.extents;
  // Registers for 8192 elements are what a multiprocessor has.
  if (std::max(e.y, e.z) * columns_of(problem, tuning) > 8192) return "more than 8192 elements a block";
  if (e.x * lines_of(problem, tuning) > 8192) return "more than 8192 elements a block along x";
  return nullptr;
}

// What won on an H200: rows of 256 bytes where registers allow that with two blocks a multiprocessor, and of
// 128 bytes for lines of 1024, one block a multiprocessor though it is.
void adapt(const Problem& problem, int* tuning) {
  const Extents& e = problem.extents;
  const std::int64_t longest_line = std::max(e.y, e.z);
  tuning[columns] = longest_line <= 256 ? 16 : longest_line <= 1024 ? 8 : 4;
  if (longest_line > 512) tuning[points_x] = tuning[points_yz] = 16;
}

}  // namespace

Variant npb_ft_cuda_passes() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "one read and write a dimension: lines in registers, radix 8 or 16, all else fused";
  variant.tunables = {{"points_x", {8, 16}, 8},
                      {"points_yz", {8, 16}, 8},
                      {"columns", {2, 4, 8, 16, 32}, 8},
                      {"threads_x", {32, 64, 128, 256, 512}, 128},
                      {"chunk", {0, 4, 8, 16, 24, 32}, 0}};
  variant.launch = {.float64 = launch};
  variant.constraint = constraint;
  variant.adapt = adapt;
  variant.prepare = prepare;
  variant.release = release;
  variant.workspace = [](const Problem& problem, const int*) {
    return state_bytes(problem) + table_bytes(problem);
  };
  return variant;
}

}  // namespace sextant
