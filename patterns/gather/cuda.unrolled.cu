#include "gather.cuh"

namespace sextant {

Variant gather_cuda_unrolled() {
  return gather::variant<places::Plain>(
      "4 to 16 elements a thread under way, places and results by 16-byte accesses");
}

}  // namespace sextant
