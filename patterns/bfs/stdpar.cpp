#include "frontier.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const bfs::Task task(call);
  auto* queue = static_cast<std::int32_t*>(call.state);
  for_each_index(0, task.n, [=](std::int64_t v) { task.level[v] = v == task.source ? 0 : -1; });
  queue[0] = task.source;
  std::int64_t begin = 0, end = 1, tail = 1;
  for (std::int32_t next = 1; begin < end; ++next) {
    // Number of queue entries that one iteration of the parallel loop expands.
    constexpr std::int64_t piece = 64;
    for_each_index(0, (end - begin + piece - 1) / piece, [=, &tail](std::int64_t p) {
      bfs::Found found(queue, &tail);
      const std::int64_t last = std::min(end, begin + (p + 1) * piece);
      for (std::int64_t i = begin + p * piece; i < last; ++i) bfs::expand(task, queue[i], next, found);
      found.flush();
    });
    begin = end, end = tail;
  }
}

}  // namespace

std::vector<Variant> bfs_stdpar() {
  Variant variant;
  variant.name = "for_each";
  variant.description =
      "std::for_each over the vertices of each level; vertices are claimed by compare-and-exchange";
  bfs::add_queue(&variant);
  variant.launch.int32 = launch;
  return {variant};
}

}  // namespace sextant
