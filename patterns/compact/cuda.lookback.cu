#include "single_pass.cuh"

namespace sextant {

Variant compact_cuda_lookback() {
  return compact::single_pass_variant<true>(
      "one launch that reads once: tiles look back for their place, and write in order through shared memory");
}

}  // namespace sextant
