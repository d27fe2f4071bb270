#include "study.cuh"
#include "suite/choices.hpp"

namespace sextant {
namespace {

using namespace npb_ft;

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const Extents& e = call.problem.extents;
  const Program program{call, state, e, stream_of(call), static_cast<unsigned>(call.tuning[0])};
  call.phase("setup");
  program.set_up();
  for (int axis = 0; axis < 3; ++axis) program.along(axis, 1, state.fields.u);
  for (int t = 1; t <= iterations(call.problem); ++t) {
    call.phase("evolve");
    evolve<<<program.blocks(e.count()), program.block, 0, program.stream>>>(
        e.count(), t, state.ex.data, state.index_map.data, state.fields.u, state.fields.w);
    for (int axis = 2; axis >= 0; --axis) program.along(axis, -1, state.fields.w);
    call.phase("checksum");
    add<<<1, 256, 0, program.stream>>>(e, state.fields.w, call.array<Complex>(checksums) + t - 1);
  }
  call.phase("");
}

std::int64_t workspace(const Problem& problem, const int*) {
  const Extents& e = problem.extents;
  return state_bytes(problem) + 2 * field_bytes(problem) + 4 * e.count() + 8 * (ex_entries(problem) + e.z) +
         16 * longest_of(e);
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  const Extents& e = call.problem.extents;
  const std::int64_t entries = ex_entries(call.problem), longest_line = longest_of(e);
  if (const char* why_not = made->fields.make(call)) return why_not;
  const auto on_host = [](auto** to, std::int64_t count) {
    return cudaMallocHost(reinterpret_cast<void**>(to), static_cast<std::size_t>(count) * sizeof(**to)) ==
           cudaSuccess;
  };
  if (!made->y0.allocate(e.count()) || !made->y1.allocate(e.count()) || !made->roots.allocate(longest_line) ||
      !made->index_map.allocate(e.count()) || !made->ex.allocate(entries) || !made->seeds.allocate(e.z) ||
      !on_host(&made->host_ex, entries) || !on_host(&made->host_roots, longest_line) ||
      !on_host(&made->host_seeds, e.z)) {
    cudaGetLastError();
    return "memory ran out";
  }
  bool good = cudaEventCreateWithFlags(&made->begun, cudaEventDisableTiming) == cudaSuccess;
  for (int i = 0; i < 4; ++i)
    good = good && cudaStreamCreateWithFlags(&made->streams[i], cudaStreamNonBlocking) == cudaSuccess &&
           cudaEventCreateWithFlags(&made->done[i], cudaEventDisableTiming) == cudaSuccess;
  if (!good) return "CUDA gave no streams";
  *state = made.release();
  return nullptr;
}

}  // namespace

Variant npb_ft_cuda_study() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "the study's form: three kernels a dimension, a thread a line, four matrices set up at once";
  variant.tunables = {{"block_size", BlockSizes::list(), 128}};
  variant.launch = {.float64 = launch};
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = workspace;
  return variant;
}

}  // namespace sextant
