#include "ways.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const dfa::Task task(call);
  dfa::walk_ways(task, 0, task.blocks, 0);
}

}  // namespace

Variant dfa_serial_shuffle() {
  Variant variant;
  variant.description = "a step is a shuffle of 16 bytes: a cycle a byte, where a lookup takes five";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
