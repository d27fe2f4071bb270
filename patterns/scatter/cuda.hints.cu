#include "scatter.cuh"

namespace sextant {

Variant scatter_cuda_hints() {
  return scatter::variant<places::Hinted>("as unrolled, with hints: what is read leaves the caches first");
}

}  // namespace sextant
