#include "single_pass.cuh"

namespace sextant {

Variant compact_cuda_ballot() {
  return compact::single_pass_variant<false>(
      "one launch that reads once: tiles look back for their place, and every thread writes what it keeps at once");
}

}  // namespace sextant
