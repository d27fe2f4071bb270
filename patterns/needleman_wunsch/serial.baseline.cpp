#include "loop.hpp"

namespace sextant {

Variant needleman_wunsch_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, row by row, -O2";
  variant.launch.int32 = needleman_wunsch::loop<std::int32_t>;
  return variant;
}

}  // namespace sextant
