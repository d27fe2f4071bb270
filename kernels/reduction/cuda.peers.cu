// The array cut into as many parts as there are GPUs, each added up as `fused` does; the block that has a part's sum posts it into
// the memory of all others and adds up what comes. With 2^28 doubles a GPU the floor is their reading, 0.50 ms at the 4.3 TB/s that an
// H200's memory reaches, and one message of about 1 µs.
#include "parts_form.cuh"

namespace sextant {

Variant reduction_cuda_peers() {
  return reduction::by_peers<reduction::PartSum>(
      "GPUs with a part of the array each, added up as `fused` does; parts' sums posted into each other's memory");
}

}  // namespace sextant
