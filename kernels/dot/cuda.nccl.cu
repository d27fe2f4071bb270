// As cuda.peers, but the parts' sums are added up by NCCL's all-reduce of one number.
#include "parts_form.cuh"

namespace sextant {

Variant dot_cuda_nccl() {
  return reduction::by_nccl<dot::PartProduct>(
      "GPUs with a part of the arrays each, added up as `fused` does; parts' sums by NCCL, recorded as a graph a GPU");
}

}  // namespace sextant
