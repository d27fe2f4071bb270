#include "gather.cuh"

namespace sextant {

Variant gather_cuda_hints() {
  return gather::variant<places::Hinted>(
      "as unrolled, with hints: streams leave the caches first, elements pass by the first-level cache");
}

}  // namespace sextant
