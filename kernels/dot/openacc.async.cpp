// Chunks on two queues: while one queue copies, the other computes. The copies are of pageable memory, which
// OpenACC cannot page-lock: the driver stages them, so that the host is busy with copying, and only the
// kernels are hidden behind it.
#include <algorithm>
#include <vector>

#include "toolbox/openacc/warp_partials.hpp"

namespace sextant {
namespace {

struct Owner {};

// Two gangs for each of the 132 multiprocessors of an H200: OpenACC does not say how many the device has.
constexpr int gangs = 264, workers = 8;
constexpr int queues = 2;

struct Chunk {
  int chunk_mib = 8;
};

struct State {
  openacc::PartialSums partial_sums[queues];
  void* device_sums = nullptr;  // one a chunk
  std::vector<double> sums;     // the same on the host; room for either type
};

std::int64_t chunk_length(const Call& call) {
  const std::int64_t bytes = std::int64_t{call.tuned<Chunk>().chunk_mib} << 20;
  return bytes / static_cast<std::int64_t>(element_size(call.problem.type));
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
      openacc::sum_of_products<Owner, 2, workers>(count, a + begin, b + begin, device_sums + c,
                                                  state.partial_sums[queue], gangs, queue);
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
  for (const openacc::PartialSums& sums : state->partial_sums) openacc::free_partial_sums(sums);
  if (state->device_sums) acc_free(state->device_sums);
  delete state;
}

const char* prepare(const Call& call, void** pointer) {
  auto* state = new State;
  const auto chunks = static_cast<std::size_t>(chunks_of(call));
  state->sums.resize(chunks);
  state->device_sums = acc_malloc(chunks * sizeof(double));
  bool complete = state->device_sums != nullptr;
  for (openacc::PartialSums& sums : state->partial_sums) {
    sums = openacc::make_partial_sums(gangs * workers);
    complete = complete && sums.complete();
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
  variant.tunables = tunables<Chunk>({{"chunk_mib", &Chunk::chunk_mib, {1, 2, 4, 8, 16, 32, 64}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.prepare = prepare;
  variant.release = release;
  return variant;
}

}  // namespace sextant
