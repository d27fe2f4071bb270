#include "lanes.hpp"

namespace sextant {

Variant npb_ep_serial_native() {
  Variant variant;
  variant.description = "chunks of 256 pairs in vector lanes: own logarithm, masks instead of branches";
  variant.launch = {.float64 = [](const Call& call) {
    ep::tally_pairs(0, call.problem.extents.x).write(call.array<double>(0), call.array<double>(1));
  }};
  return variant;
}

}  // namespace sextant
