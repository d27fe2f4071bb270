#include "toolbox/openacc/copy.hpp"

namespace sextant {

Variant rows_openacc_reordered() {
  Variant variant = openacc::packed_copy();
  variant.description =
      "what a better order gives: the same copy in the order of memory, a 16-byte pack a thread";
  variant.aside = true;
  return variant;
}

}  // namespace sextant
