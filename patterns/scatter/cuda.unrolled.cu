#include "scatter.cuh"

namespace sextant {

Variant scatter_cuda_unrolled() {
  return scatter::variant<places::Plain>(
      "4 to 16 elements a thread under way, places and elements by 16-byte accesses");
}

}  // namespace sextant
