#include <thrust/iterator/permutation_iterator.h>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <vector>

#include "loop.hpp"
#include "toolbox/cuda/cub.cuh"

namespace sextant {
namespace {

// Reduction by key with CUB. The offsets are the same in every run. So `prepare` derives from them each
// element's key, which is its segment number, and the result indices of all non-empty segments.
namespace cub_by_key {

struct State {
  cub_algorithm::Storage storage;
  std::int32_t* keys = nullptr;    // key of each element; the arrays below are in the same allocation
  std::int32_t* places = nullptr;  // result index of each non-empty segment
  std::int32_t* found = nullptr;   // output of CUB: the key of each sum
  std::int32_t* count = nullptr;   // output of CUB: the number of sums
};

struct Add {
  template <typename T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

template <typename T>
cudaError_t run(const Call& call, State& state) {
  const auto sums = thrust::make_permutation_iterator(call.array<T>(2), state.places);
  return cub::DeviceReduce::ReduceByKey(state.storage.memory, state.storage.bytes, state.keys, state.found,
                                        call.array<const T>(1), sums, state.count, Add{},
                                        static_cast<int>(segmented::elements_of(call.problem)),
                                        static_cast<cudaStream_t>(call.stream));
}

template <typename T>
void launch(const Call& call) {
  cudaMemsetAsync(call.array<T>(2), 0, static_cast<std::size_t>(call.problem.extents.x) * sizeof(T),
                  static_cast<cudaStream_t>(call.stream));
  run<T>(call, *static_cast<State*>(call.state));
}

std::int64_t words_of(const Problem& problem) {
  return segmented::elements_of(problem) + 2 * problem.extents.x + 1;
}

std::int64_t workspace(const Problem& problem, const int*) {
  return words_of(problem) * std::int64_t{sizeof(std::int32_t)};
}

// Computes keys and result indices from the offsets, on the host.
std::vector<std::int32_t> structure(const Problem& problem, const std::vector<std::int32_t>& o) {
  const std::int64_t n = segmented::elements_of(problem), m = problem.extents.x;
  std::vector<std::int32_t> words(static_cast<std::size_t>(n + m));
  std::int32_t* place = words.data() + n;
  for (std::int64_t j = 0; j < m; ++j) {
    const auto begin = o[static_cast<std::size_t>(j)], end = o[static_cast<std::size_t>(j + 1)];
    std::fill(words.begin() + begin, words.begin() + end, static_cast<std::int32_t>(j));
    if (begin < end) *place++ = static_cast<std::int32_t>(j);
  }
  return words;
}

bool make(const Call& call, State& state) {
  const std::int64_t n = segmented::elements_of(call.problem), m = call.problem.extents.x;
  std::vector<std::int32_t> o(static_cast<std::size_t>(m + 1));
  if (cudaMemcpy(o.data(), call.address(0), o.size() * sizeof(std::int32_t), cudaMemcpyDeviceToHost) !=
      cudaSuccess)
    return false;
  const std::vector<std::int32_t> words = structure(call.problem, o);
  if (cudaMalloc(&state.keys, static_cast<std::size_t>(workspace(call.problem, nullptr))) != cudaSuccess)
    return false;
  state.places = state.keys + n, state.found = state.places + m, state.count = state.found + m;
  const PerType<cudaError_t (*)(const Call&, State&)> ask = SEXTANT_FLOAT_DOUBLE_INT(run);
  return cudaMemcpy(state.keys, words.data(), words.size() * sizeof(std::int32_t), cudaMemcpyHostToDevice) ==
             cudaSuccess &&
         ask[call.problem.type](call, state) == cudaSuccess &&
         cudaMalloc(&state.storage.memory, state.storage.bytes) == cudaSuccess;
}

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  cudaFree(mine->storage.memory);
  cudaFree(mine->keys);
  delete mine;
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  if (make(call, *mine)) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // clear the error, so that a later check does not report it
  release(mine);
  return "no device memory for the keys and CUB's temporary storage";
}

}  // namespace cub_by_key

namespace cub_segmented {

struct SegmentedSum {
  template <typename T>
  static cudaError_t run(const Call& call, void* storage, std::size_t& bytes, cudaStream_t stream) {
    const auto* o = call.array<const std::int32_t>(0);
    return cub::DeviceSegmentedReduce::Sum(storage, bytes, call.array<const T>(1), call.array<T>(2),
                                           call.problem.extents.x, o, o + 1, stream);
  }
};

}  // namespace cub_segmented

}  // namespace

std::vector<Variant> segmented_library_cu() {
  return {
      {.name = "cub_by_key",
       .description = "CUB DeviceReduce::ReduceByKey, with keys computed from the offsets beforehand",
       .memory_space = MemorySpace::cuda,
       .launch = SEXTANT_FLOAT_DOUBLE_INT(cub_by_key::launch),
       .prepare = cub_by_key::prepare,
       .prepare_depends_on = DependsOn::structure,
       .release = cub_by_key::release,
       .workspace = cub_by_key::workspace},
      named("cub_segmented", cub_algorithm::variant<cub_segmented::SegmentedSum, float, double, std::int32_t>(
                                 "CUB DeviceSegmentedReduce::Sum")),
  };
}

}  // namespace sextant
