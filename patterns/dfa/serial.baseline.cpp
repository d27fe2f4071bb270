#include "loop.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const dfa::Task task(call);
  dfa::walk(task.table, task.text, task.state, 0, task.blocks, 0);
}

}  // namespace

Variant dfa_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
