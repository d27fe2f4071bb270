#include "interleaved.hpp"

namespace sextant {
namespace {

void launch(const Call& call) { pointer_chase::walk_groups(call, 0, pointer_chase::chains_of(call.problem)); }

}  // namespace

Variant pointer_chase_serial_interleaved() {
  Variant variant = pointer_chase::interleaved_variant("several chains at a time");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
