#include <cub/device/device_segmented_reduce.cuh>

#include "toolbox/cuda/cub.cuh"

namespace sextant {
namespace {

struct SegmentedSum {
  template <typename T>
  static cudaError_t run(const Call& call, void* storage, std::size_t& bytes, cudaStream_t stream) {
    const auto* o = call.array<const std::int32_t>(0);
    return cub::DeviceSegmentedReduce::Sum(storage, bytes, call.array<const T>(1), call.array<T>(2),
                                           call.problem.extents.x, o, o + 1, stream);
  }
};

}  // namespace

Variant segmented_library_cub_segmented() {
  return cub_algorithm::variant<SegmentedSum, float, double, std::int32_t>("CUB DeviceSegmentedReduce::Sum");
}

}  // namespace sextant
