#include <cub/device/device_merge_sort.cuh>

#include "loop.hpp"
#include "toolbox/cuda/cub.cuh"

namespace sextant {
namespace {

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
      cudaMemcpyAsync(keys, call.arrays[0], size * sizeof(T), cudaMemcpyDeviceToDevice, stream);
      cudaMemcpyAsync(values, call.arrays[1], size * sizeof *values, cudaMemcpyDeviceToDevice, stream);
    }
    return cub::DeviceMergeSort::StableSortPairs(storage, bytes, keys, values, n, Less{}, stream);
  }
};

}  // namespace

Variant sort_library_cub_merge() {
  return cub_algorithm::variant<MergeSort, float, double, std::int32_t>(
      "CUB DeviceMergeSort, stable; pairs are copied first");
}

}  // namespace sextant
