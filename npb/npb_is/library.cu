#include <cub/device/device_radix_sort.cuh>

#include "gpu_state.cuh"
#include "suite/variant.hpp"

// Variants that sort the keys by a library. Then counts[v] is the number of sorted keys <= v.
namespace sextant {
namespace {

using namespace npb_is;

struct State {
  DeviceMemory<std::int32_t> keys, sorted, tests;
  DeviceMemory<unsigned char> storage;
  std::size_t bytes = 0;
};

cudaError_t sort(const Problem& problem, State& state, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortKeys(state.storage.data, state.bytes, state.keys.data, state.sorted.data,
                                        key_count(problem), 0, max_log2(problem), stream);
}

__global__ void take_test_keys(int bits, int it, TestKeys at, std::int32_t* keys, std::int32_t* tests) {
  change_keys(bits, it, keys);
  __syncthreads();
  if (threadIdx.x < test_count) tests[threadIdx.x] = keys[at.index[threadIdx.x]];
}

// Thread j sets counts[v] = j for all v from sorted key j - 1 up to, but not including, sorted key j. Exactly
// j keys are <= such v.
__global__ void counts_of_sorted(std::int64_t n, std::int64_t values, const std::int32_t* sorted,
                                 std::uint32_t* counts) {
  const std::int64_t j = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j > n) return;
  const std::int64_t from = j == 0 ? 0 : sorted[j - 1], to = j == n ? values : sorted[j];
  for (std::int64_t v = from; v < to; ++v) counts[v] = static_cast<std::uint32_t>(j);
}

__global__ void take_ranks(const std::int32_t* tests, const std::uint32_t* counts, std::int32_t* ranks) {
  const std::int32_t key = tests[threadIdx.x];
  ranks[threadIdx.x] = key == 0 ? 0 : static_cast<std::int32_t>(counts[key - 1]);
}

void launch(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  const std::int64_t n = key_count(call.problem);
  const cudaStream_t stream = stream_of(call);
  auto* c = call.array<std::uint32_t>(counts);
  for (int it = 1; it <= iterations; ++it) {
    take_test_keys<<<1, 32, 0, stream>>>(max_log2(call.problem), it, test_keys(call.problem), state.keys.data,
                                         state.tests.data);
    call.phase("sort");
    sort(call.problem, state, stream);
    call.phase("counts");
    counts_of_sorted<<<blocks_for(n + 1, 256), 256, 0, stream>>>(n, value_count(call.problem),
                                                                 state.sorted.data, c);
    call.phase("");
    take_ranks<<<1, test_count, 0, stream>>>(state.tests.data, c,
                                             call.array<std::int32_t>(ranks) + (it - 1) * test_count);
  }
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  if (!made->tests.allocate(test_count) || !made->sorted.allocate(key_count(call.problem)))
    return "device memory ran out";
  if (const char* why_not = make_keys(call, &made->keys)) return why_not;
  if (sort(call.problem, *made, stream_of(call)) != cudaSuccess ||
      !made->storage.allocate(static_cast<std::int64_t>(made->bytes))) {
    cudaGetLastError();
    return "no device memory for CUB's temporary storage";
  }
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_is_library_cu() {
  return {{.name = "cub_sort",
           .description =
               "CUB DeviceRadixSort::SortKeys; counts from the position of each value's last sorted key",
           .memory_space = MemorySpace::cuda,
           .launch = {.int32 = launch},
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = [](const Problem& problem, const int*) { return 9 * key_count(problem); }}};
}

}  // namespace sextant
