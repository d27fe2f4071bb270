#include "vector.cuh"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  increment::launch_vector(call, call.problem.extents.x, call.array<T>(0), stream_of(call));
}

}  // namespace

Variant increment_cuda_vector() {
  Variant variant;
  variant.description = "one kernel for all loops, 16-byte accesses";
  variant.home = Home::cuda;
  variant.tunables = increment::block_tunables();
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
