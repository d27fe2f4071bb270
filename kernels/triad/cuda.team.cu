// Arrays cut into as many parts as there are GPUs, which have nothing to tell each other: are they independent?
#include "parts_on_gpus.cuh"
#include "toolbox/cuda/team_arrays.cuh"

namespace sextant {
namespace {

struct Part {
  static constexpr int arrays = 3;
  template <typename T>
  static void launch(const Call& call, std::int64_t n, T* const* arrays, cudaStream_t stream) {
    triad::launch_part<T>(call, n, arrays[0], arrays[1], arrays[2], stream);
  }
};

}  // namespace

Variant triad_cuda_team() {
  Variant variant = triad::variant_of_parts();
  variant.description =
      "GPUs with a part of the arrays and a thread of the host each, 16-byte accesses, streaming stores";
  peers::complete_team_arrays<Part, float, double>(variant);
  return variant;
}

}  // namespace sextant
