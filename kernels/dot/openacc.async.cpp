// Chunks on two queues: while one queue copies, the other computes. The copies are of pageable memory, which
// OpenACC cannot page-lock: the driver stages them, so that the host is busy with copying, and only the
// kernels are hidden behind it.
#include <algorithm>
#include <vector>

#include "loop.hpp"
#include "warp_partials.hpp"

namespace sextant {
namespace {

struct Owner {};
constexpr int queues = 2, gangs = 264, workers = 8;

struct State {
  dot::Workspace workspaces[queues];
  void* device_sums = nullptr;  // one a chunk
  std::vector<double> sums;     // the same on the host; room for either type
};

std::int64_t chunk_length(const Call& call) {
  return (std::int64_t{call.tuning[0]} << 20) / static_cast<std::int64_t>(element_size(call.problem.type));
}

std::int64_t chunks_of(const Call& call) {
  return (call.problem.extents.x + chunk_length(call) - 1) / chunk_length(call);
}

template <typename T>
void launch(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  const std::int64_t n = call.problem.extents.x, length = chunk_length(call), chunks = chunks_of(call);
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* device_sums = static_cast<T*>(state.device_sums);
  // A construct's arrays share one allocation, where b would begin anywhere: packs need each its own.
#pragma acc data create(a [0:n])
#pragma acc data create(b [0:n])
  {
    for (std::int64_t c = 0; c < chunks; ++c) {
      const std::int64_t begin = c * length, count = std::min(length, n - begin);
      const int queue = static_cast<int>(c % queues);
#pragma acc update device(a [begin:count], b [begin:count]) async(queue)
      dot::sum_of_products<Owner, workers>(count, a + begin, b + begin, device_sums + c,
                                           state.workspaces[queue], gangs, queue);
    }
#pragma acc wait
  }
  T* sums = reinterpret_cast<T*>(state.sums.data());
  acc_memcpy_from_device(sums, device_sums, static_cast<std::size_t>(chunks) * sizeof(T));
  T sum = 0;
  for (std::int64_t c = 0; c < chunks; ++c) sum += sums[c];
  *call.array<T>(2) = sum;
}

void release(void* pointer) {
  auto* state = static_cast<State*>(pointer);
  for (const dot::Workspace& workspace : state->workspaces) dot::free_workspace(workspace);
  if (state->device_sums) acc_free(state->device_sums);
  delete state;
}

const char* prepare(const Call& call, void** pointer) {
  auto* state = new State;
  const auto chunks = static_cast<std::size_t>(chunks_of(call));
  state->sums.resize(chunks);
  state->device_sums = acc_malloc(chunks * sizeof(double));
  bool complete = state->device_sums != nullptr;
  for (dot::Workspace& workspace : state->workspaces) {
    workspace = dot::make_workspace();
    complete = complete && workspace.partials && workspace.arrived;
  }
  if (!complete) {
    release(state);
    return "no device memory for the partial sums";
  }
  *pointer = state;
  return nullptr;
}

}  // namespace

Variant dot_openacc_async() {
  Variant variant;
  variant.description = "chunks copied and added on two queues; both arrays are copied in on every call";
  variant.home = Home::host;
  variant.tunables = {{"chunk_mib", {1, 2, 4, 8, 16, 32, 64}, 8}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.prepare = prepare;
  variant.release = release;
  return variant;
}

}  // namespace sextant
