#include <cub/device/device_reduce.cuh>

#include "toolbox/cuda/cub.cuh"

namespace sextant {
namespace {

struct Sum {
  template <typename T>
  static cudaError_t run(const Call& call, void* storage, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceReduce::Sum(storage, bytes, call.array<const T>(0), call.array<T>(1),
                                  call.problem.extents.x, stream);
  }
};

}  // namespace

std::vector<Variant> reduction_library_cu() {
  return {named("cub", cub_algorithm::variant<Sum, float, double>("CUB DeviceReduce::Sum"))};
}

}  // namespace sextant
