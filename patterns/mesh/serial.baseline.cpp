#include "loop.hpp"

namespace sextant {

Variant mesh_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(mesh::loop);
  return variant;
}

}  // namespace sextant
