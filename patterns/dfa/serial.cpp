#include "loop.hpp"
#include "suite/compilation.hpp"
#include "transitions.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const dfa::Task task(call);
  dfa::walk(task.table, task.text, task.state, 0, task.blocks, 0);
}

namespace shuffle {

void launch(const Call& call) {
  const dfa::Task task(call);
  dfa::walk_blocks(task, 0, task.blocks, 0);
}

}  // namespace shuffle

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(dfa)() {
  return compiled_here({
      {.name = "baseline", .description = "the plain loop, -O2", .launch = {.int32 = launch}},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = {.int32 = launch}},
      {.name = "shuffle",
       .description = "each step is a shuffle of 16 bytes instead of a table lookup",
       .launch = {.int32 = shuffle::launch}},
  });
}

}  // namespace sextant
