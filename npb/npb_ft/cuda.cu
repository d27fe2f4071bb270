#include "study.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_ft;

struct Block {
  int block_size = 128;
};

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const Extents& e = call.problem.extents;
  const Program program{call, state, e, stream_of(call),
                        static_cast<unsigned>(call.tuned<Block>().block_size)};
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

// Page-locked memory of the host, which what is copied asynchronously must be in.
template <typename T>
bool allocate_host(std::int64_t count, T** to) {
  return cudaMallocHost(reinterpret_cast<void**>(to), static_cast<std::size_t>(count) * sizeof(T)) ==
         cudaSuccess;
}

bool allocate(const Problem& problem, State& state) {
  const Extents& e = problem.extents;
  const std::int64_t entries = ex_entries(problem), longest_line = longest_of(e);
  return state.y0.allocate(e.count()) && state.y1.allocate(e.count()) && state.roots.allocate(longest_line) &&
         state.index_map.allocate(e.count()) && state.ex.allocate(entries) && state.seeds.allocate(e.z) &&
         allocate_host(entries, &state.host_ex) && allocate_host(longest_line, &state.host_roots) &&
         allocate_host(e.z, &state.host_seeds);
}

bool create_streams(State& state) {
  bool good = cudaEventCreateWithFlags(&state.begun, cudaEventDisableTiming) == cudaSuccess;
  for (int i = 0; i < 4; ++i)
    good = good && cudaStreamCreateWithFlags(&state.streams[i], cudaStreamNonBlocking) == cudaSuccess &&
           cudaEventCreateWithFlags(&state.done[i], cudaEventDisableTiming) == cudaSuccess;
  return good;
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  if (const char* why_not = made->fields.make(call)) return why_not;
  if (!allocate(call.problem, *made)) {
    cudaGetLastError();
    return "memory ran out";
  }
  if (!create_streams(*made)) return "CUDA gave no streams";
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_ft_cuda() {
  return {{.name = "study",
.description = "the study's form: three kernels a dimension, a thread a line, four matrices set up at once",
.memory_space = MemorySpace::cuda,
.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}}),
.launch = {.float64 = launch},
.prepare = prepare,
.release = [](void* state) { delete static_cast<State*>(state); },
.workspace = workspace}};
}

}  // namespace sextant
