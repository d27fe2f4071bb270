#include "boards.cuh"

namespace sextant {
namespace {

using namespace nqueens;

__global__ void count_all(Boards boards) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= boards.n) return;
  boards.count[i] = ways_by_stack(boards.all, static_cast<Set>(boards.columns[i]),
                                  static_cast<Set>(boards.left[i]), static_cast<Set>(boards.right[i]));
}

}  // namespace

Variant nqueens_cuda_thread() {
  Variant variant = threads_variant("the form one writes first: a board a thread, with a stack of its own");
  variant.launch.int32 = launch_threads<count_all>;
  return variant;
}

}  // namespace sextant
