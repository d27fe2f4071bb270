#include "frontier.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const bfs::Task task(call);
  auto* queue = static_cast<std::int32_t*>(call.state);
  std::int64_t begin = 0, end = 1, tail = 1;
#pragma omp parallel
  {
    bfs::Found found(queue, &tail);
#pragma omp for schedule(static)
    for (std::int64_t v = 0; v < task.n; ++v) task.level[v] = v == task.source ? 0 : -1;
#pragma omp single
    queue[0] = task.source;
    for (std::int32_t next = 1; begin < end; ++next) {
#pragma omp for schedule(dynamic, 64) nowait
      for (std::int64_t i = begin; i < end; ++i) bfs::expand(task, queue[i], next, found);
      found.flush();
#pragma omp barrier
#pragma omp single
      begin = end, end = tail;
    }
  }
}

}  // namespace

Variant bfs_openmp_queues() {
  Variant variant;
  variant.description =
      "level by level: threads share what the one before found, and collect in queues of their own";
  bfs::add_queue(&variant);
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
