#include "loop.hpp"

namespace sextant {

Variant spmv_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(spmv::loop);
  return variant;
}

}  // namespace sextant
