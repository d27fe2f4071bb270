#include "queue.hpp"

namespace sextant {
namespace {

void launch(const Call& call) { bfs::search(bfs::Task(call), static_cast<std::int32_t*>(call.state)); }

}  // namespace

Variant bfs_serial_baseline() {
  Variant variant;
  variant.description = "a queue, -O2";
  bfs::add_queue(&variant);
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
