#include "loop.hpp"

namespace sextant {

Variant mandelbrot_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch.int32 = mandelbrot::loop;
  return variant;
}

}  // namespace sextant
