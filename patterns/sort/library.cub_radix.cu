#include <cub/device/device_radix_sort.cuh>

#include "loop.hpp"
#include "toolbox/cuda/cub.cuh"

namespace sextant {
namespace {

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

}  // namespace

Variant sort_library_cub_radix() {
  return cub_algorithm::variant<RadixSort, float, double, std::int32_t>("CUB DeviceRadixSort");
}

}  // namespace sextant
