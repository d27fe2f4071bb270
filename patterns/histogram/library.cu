#include <algorithm>
#include <bit>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>

#include "loop.hpp"
#include "toolbox/cuda/cub.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Histogram {
  template <typename Key>
  static cudaError_t run(const Call& call, void* storage, std::size_t& bytes, cudaStream_t stream) {
    const auto bins = static_cast<Key>(histogram::bins_of(call.problem));
    return cub::DeviceHistogram::HistogramEven(storage, bytes, call.array<const Key>(0), call.array<Key>(1),
                                               bins + 1, Key{0}, bins, call.problem.extents.x, stream);
  }
};

// Refuses problems for which CUB's temporary storage is too large. CUB indexes its per-block tables with an
// int; larger tables lead to an illegal address (CUB of CUDA 13.0).
const char* prepare(const Call& call, void** state) {
  cub_algorithm::Storage storage;
  if (cub_algorithm::run<Histogram, std::int32_t>(call, storage) == cudaSuccess &&
      storage.bytes / sizeof(std::int32_t) > std::size_t{INT32_MAX})
    return "too many bins: CUB indexes its per-block tables with 32 bits";
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return cub_algorithm::prepare<Histogram, std::int32_t>(call, state);
}

// The usual method for many bins: sort the keys, encode runs of equal keys, and store each run's length in
// the count of its key. The sort looks only at the bits that keys have.
struct SortedRuns {
  std::int32_t *keys = nullptr, *runs = nullptr, *lengths = nullptr, *count = nullptr;
  void* storage = nullptr;
  std::size_t bytes = 0;

  SortedRuns() = default;
  SortedRuns(const SortedRuns&) = delete;
  SortedRuns& operator=(const SortedRuns&) = delete;
  ~SortedRuns() {
    for (std::int32_t* array : {keys, runs, lengths, count}) cudaFree(array);
    cudaFree(storage);
  }

  static std::int64_t most_runs(const Problem& problem) {
    return std::min(problem.extents.x, histogram::bins_of(problem));
  }

  cudaError_t sort(const Call& call, std::size_t& size) const {
    const int bits = std::bit_width(static_cast<std::uint64_t>(histogram::bins_of(call.problem) - 1));
    return cub::DeviceRadixSort::SortKeys(storage, size, call.array<const std::int32_t>(0), keys,
                                          call.problem.extents.x, 0, std::max(bits, 1), stream_of(call));
  }
  cudaError_t encode(const Call& call, std::size_t& size) const {
    return cub::DeviceRunLengthEncode::Encode(storage, size, keys, runs, lengths, count,
                                              call.problem.extents.x, stream_of(call));
  }

  bool allocate(const Call& call) {
    const auto size = [](std::int64_t elements) {
      return sizeof(std::int32_t) * static_cast<std::size_t>(elements);
    };
    const std::int64_t most = most_runs(call.problem);
    if (cudaMalloc(&keys, size(call.problem.extents.x)) != cudaSuccess ||
        cudaMalloc(&runs, size(most)) != cudaSuccess || cudaMalloc(&lengths, size(most)) != cudaSuccess ||
        cudaMalloc(&count, size(1)) != cudaSuccess)
      return false;
    std::size_t of_sort = 0, of_encode = 0;
    if (sort(call, of_sort) != cudaSuccess || encode(call, of_encode) != cudaSuccess) return false;
    bytes = std::max(of_sort, of_encode);
    return cudaMalloc(&storage, bytes) == cudaSuccess;
  }
};

__global__ void store_lengths(const std::int32_t* __restrict__ runs, const std::int32_t* __restrict__ lengths,
                              const std::int32_t* __restrict__ count, std::int32_t* __restrict__ c) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < *count) c[runs[i]] = lengths[i];
}

void launch_sorted(const Call& call) {
  constexpr int threads = 256;
  const auto& state = *static_cast<const SortedRuns*>(call.state);
  const std::int64_t bins = histogram::bins_of(call.problem), most = SortedRuns::most_runs(call.problem);
  std::size_t bytes = state.bytes;
  cudaMemsetAsync(call.array<std::int32_t>(1), 0, sizeof(std::int32_t) * static_cast<std::size_t>(bins),
                  stream_of(call));
  state.sort(call, bytes);
  state.encode(call, bytes);
  store_lengths<<<static_cast<unsigned>((most + threads - 1) / threads), threads, 0, stream_of(call)>>>(
      state.runs, state.lengths, state.count, call.array<std::int32_t>(1));
}

const char* prepare_sorted(const Call& call, void** state) {
  auto* mine = new SortedRuns;
  if (mine->allocate(call)) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // clear the error, so that a later check does not report it
  delete mine;
  return "no device memory for the sorted keys, their runs and CUB's temporary storage";
}

}  // namespace

std::vector<Variant> histogram_library_cu() {
  Variant direct = cub_algorithm::variant<Histogram, std::int32_t>("CUB DeviceHistogram::HistogramEven");
  direct.name = "cub";
  direct.prepare = prepare;
  Variant sorted;
  sorted.name = "cub_sort";
  sorted.description = "CUB DeviceRadixSort::SortKeys, then DeviceRunLengthEncode::Encode, for many bins";
  sorted.memory_space = MemorySpace::cuda;
  sorted.launch.int32 = launch_sorted;
  sorted.prepare = prepare_sorted;
  sorted.release = [](void* state) { delete static_cast<SortedRuns*>(state); };
  return {direct, sorted};
}

}  // namespace sextant
