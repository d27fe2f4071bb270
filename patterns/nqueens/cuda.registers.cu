#include "boards.cuh"
#include "packed.hpp"

namespace sextant {
namespace {

using namespace nqueens;

__global__ void count_all(Boards boards) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= boards.n) return;
  boards.count[i] = ways_packed(boards.all, boards.rows, static_cast<Set>(boards.columns[i]),
                                static_cast<Set>(boards.left[i]), static_cast<Set>(boards.right[i]));
}

const char* refuse(const Problem& problem, const int* tuning) {
  const char* reason = refuse_many_rows(problem, tuning);
  return reason ? reason : refuse_count(problem, tuning);
}

}  // namespace

Variant nqueens_cuda_registers() {
  Variant variant = threads_variant("a board a thread, the columns of its queens in one word: no memory");
  variant.constraint = refuse;
  variant.launch.int32 = launch_threads<count_all>;
  return variant;
}

}  // namespace sextant
