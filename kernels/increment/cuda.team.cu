// The array cut into as many parts as there are GPUs, which have nothing to tell each other.
#include "toolbox/cuda/team_arrays.cuh"
#include "vector.cuh"

namespace sextant {
namespace {

struct Part {
  static constexpr int arrays = 1;
  template <typename T>
  static void launch(const Call& call, std::int64_t n, T* const* arrays, cudaStream_t stream) {
    increment::launch_vector(call, n, arrays[0], stream);
  }
};

}  // namespace

Variant increment_cuda_team() {
  Variant variant;
  variant.description =
      "GPUs with a part of the array and a thread of the host each, one kernel for all loops, 16-byte accesses";
  variant.tunables = increment::block_tunables();
  peers::complete_team_arrays<Part, float, double, std::int32_t>(variant);
  return variant;
}

}  // namespace sextant
