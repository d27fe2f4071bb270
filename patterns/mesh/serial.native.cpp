#include "loop.hpp"

namespace sextant {

Variant mesh_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(mesh::loop);
  return variant;
}

}  // namespace sextant
