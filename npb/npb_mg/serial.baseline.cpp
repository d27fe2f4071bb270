#include "plain.hpp"

namespace sextant {

Variant npb_mg_serial_baseline() {
  return npb_mg::plain_variant(
      "the benchmark's own structure: an operator after the other, rows added up first, -O2");
}

}  // namespace sextant
