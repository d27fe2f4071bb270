#include "loop.hpp"

namespace sextant {

Variant mandelbrot_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch.int32 = mandelbrot::loop;
  return variant;
}

}  // namespace sextant
