#include <thrust/execution_policy.h>
#include <thrust/scatter.h>

#include "suite/variant.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const std::int32_t* p = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  const auto where = thrust::cuda::par_nosync.on(static_cast<cudaStream_t>(call.stream));
  thrust::scatter(where, a, a + n, p, y);
}

}  // namespace

std::vector<Variant> scatter_library_cu() {
  return {{.name = "thrust",
           .description = "thrust::scatter",
           .memory_space = MemorySpace::cuda,
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
