#include <cub/device/device_select.cuh>

#include "toolbox/cuda/cub.cuh"

namespace sextant {
namespace {

struct NotNegative {
  template <typename T>
  __host__ __device__ bool operator()(const T& value) const {
    return value >= T(0);
  }
};

struct Select {
  template <typename T>
  static cudaError_t run(const Call& call, void* storage, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceSelect::If(storage, bytes, call.array<const T>(0), call.array<T>(1),
                                 call.array<std::int32_t>(2), call.problem.extents.x, NotNegative{}, stream);
  }
};

}  // namespace

std::vector<Variant> compact_library_cu() {
  return {named("cub", cub_algorithm::variant<Select, float, double, std::int32_t>("CUB DeviceSelect::If"))};
}

}  // namespace sextant
