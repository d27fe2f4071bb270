#include "queue.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

void launch(const Call& call) { bfs::search(bfs::Task(call), static_cast<std::int32_t*>(call.state)); }

namespace baseline {

Variant form() {
  Variant variant;
  variant.description = "the plain loop with a queue, -O2";
  bfs::add_queue(&variant);
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace baseline

namespace native {

Variant form() {
  Variant variant;
  variant.description = "the plain loop with a queue, -O3 for this processor";
  bfs::add_queue(&variant);
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace native

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(bfs)() {
  return compiled_here({
      named("baseline", baseline::form()),
      named("native", native::form()),
  });
}

}  // namespace sextant
