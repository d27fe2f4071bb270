#include "loop.hpp"

namespace sextant {

Variant halo3d_serial_baseline() {
  Variant variant;
  variant.description = "one part by itself, which is its own neighbour: rows of 26 pieces are copied, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(halo3d::loop);
  return variant;
}

}  // namespace sextant
