#include "loop.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const dfa::Task task(call);
  dfa::walk(task.table, task.text, task.state, 0, task.blocks, 0);
}

}  // namespace

Variant dfa_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
