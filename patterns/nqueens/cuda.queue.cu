#include "crew.cuh"

namespace sextant {

Variant nqueens_cuda_queue() {
  return nqueens::crew_variant<false>("lanes take the next board as they become free");
}

}  // namespace sextant
