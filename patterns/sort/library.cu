#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "loop.hpp"
#include "toolbox/cuda/cub.cuh"

namespace sextant {
namespace {

namespace cub_merge {

struct Less {
  template <typename T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

struct MergeSort {
  template <typename T>
  static cudaError_t run(const Call& call, void* storage, std::size_t& bytes, cudaStream_t stream) {
    const auto n = static_cast<int>(call.problem.extents.x);
    if (!sort::has_values(call.problem))
      return cub::DeviceMergeSort::StableSortKeysCopy(storage, bytes, call.array<const T>(0),
                                                      call.array<T>(1), n, Less{}, stream);
    T* keys = call.array<T>(2);
    auto* values = call.array<std::int32_t>(3);
    if (storage) {  // pairs are sorted in place
      const auto size = static_cast<std::size_t>(n);
      cudaMemcpyAsync(keys, call.address(0), size * sizeof(T), cudaMemcpyDeviceToDevice, stream);
      cudaMemcpyAsync(values, call.address(1), size * sizeof *values, cudaMemcpyDeviceToDevice, stream);
    }
    return cub::DeviceMergeSort::StableSortPairs(storage, bytes, keys, values, n, Less{}, stream);
  }
};

}  // namespace cub_merge

namespace cub_radix {

struct RadixSort {
  template <typename T>
  static cudaError_t run(const Call& call, void* storage, std::size_t& bytes, cudaStream_t stream) {
    constexpr int bits = static_cast<int>(8 * sizeof(T));
    const auto n = static_cast<int>(call.problem.extents.x);
    if (!sort::has_values(call.problem))
      return cub::DeviceRadixSort::SortKeys(storage, bytes, call.array<const T>(0), call.array<T>(1), n, 0,
                                            bits, stream);
    return cub::DeviceRadixSort::SortPairs(storage, bytes, call.array<const T>(0), call.array<T>(2),
                                           call.array<const std::int32_t>(1), call.array<std::int32_t>(3), n,
                                           0, bits, stream);
  }
};

}  // namespace cub_radix

}  // namespace

std::vector<Variant> sort_library_cu() {
  return {
      named("cub_merge", cub_algorithm::variant<cub_merge::MergeSort, float, double, std::int32_t>(
                             "CUB DeviceMergeSort, stable; pairs are copied first")),
      named("cub_radix",
            cub_algorithm::variant<cub_radix::RadixSort, float, double, std::int32_t>("CUB DeviceRadixSort")),
  };
}

}  // namespace sextant
