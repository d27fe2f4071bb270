#include <cub/device/device_scan.cuh>

#include "toolbox/cuda/cub.cuh"

namespace sextant {
namespace {

struct Scan {
  template <typename T>
  static cudaError_t run(const Call& call, void* storage, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveSum(storage, bytes, call.array<const T>(0), call.array<T>(1),
                                         call.problem.extents.x, stream);
  }
};

}  // namespace

std::vector<Variant> inclusive_scan_library_cu() {
  return {named("cub",
                cub_algorithm::variant<Scan, float, double, std::int32_t>("CUB DeviceScan::InclusiveSum"))};
}

}  // namespace sextant
