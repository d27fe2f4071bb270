#include "frontier.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

// Like variant openmp.queues, but with a bottom-up step for levels with many vertices: each unvisited vertex
// looks for one neighbour in that level (Beamer, Asanovic and Patterson, "Direction-optimizing breadth-first
// search", 2012).
namespace direction {

// The search goes bottom-up when a level holds at least 1 / bottom_up_threshold of all vertices.
struct Shape {
  int bottom_up_threshold = 32;
};

bool has_neighbour_in(const bfs::Task& task, std::int64_t v, std::int32_t level) {
  for (std::int32_t e = task.row[v]; e < task.row[v + 1]; ++e) {
    std::atomic_ref<std::int32_t> at(task.level[task.adjacent[e]]);
    if (at.load(std::memory_order_relaxed) == level) return true;
  }
  return false;
}

void launch(const Call& call) {
  const bfs::Task task(call);
  const std::int64_t share = call.tuned<Shape>().bottom_up_threshold;
  auto* queue = static_cast<std::int32_t*>(call.state);
  // The current level: its range in the queue (`begin` to `end`) and its number of vertices (`count`).
  std::int64_t begin = 0, end = 1, tail = 1, count = 1;
  bool queued = true;
#pragma omp parallel
  {
    bfs::Found found(queue, &tail);
#pragma omp for schedule(static)
    for (std::int64_t v = 0; v < task.n; ++v) task.level[v] = v == task.source ? 0 : -1;
#pragma omp single
    queue[0] = task.source;
    for (std::int32_t now = 0; count > 0; ++now) {
      if (count * share >= task.n) {
#pragma omp barrier
#pragma omp single
        count = 0, queued = false;
#pragma omp for schedule(dynamic, 1024) reduction(+ : count)
        for (std::int64_t v = 0; v < task.n; ++v) {
          std::atomic_ref<std::int32_t> at(task.level[v]);
          if (at.load(std::memory_order_relaxed) >= 0 || !has_neighbour_in(task, v, now)) continue;
          at.store(now + 1, std::memory_order_relaxed);
          ++count;
        }
        continue;
      }
      if (!queued) {
#pragma omp for schedule(static)
        for (std::int64_t v = 0; v < task.n; ++v)
          if (task.level[v] == now) found.add(static_cast<std::int32_t>(v));
        found.flush();
#pragma omp barrier
#pragma omp single
        begin = end, end = tail, queued = true;
      }
#pragma omp for schedule(dynamic, 64) nowait
      for (std::int64_t i = begin; i < end; ++i) bfs::expand(task, queue[i], now + 1, found);
      found.flush();
#pragma omp barrier
#pragma omp single
      begin = end, end = tail, count = end - begin;
    }
  }
}

Variant form() {
  Variant variant;
  variant.description =
      "as queues, but large levels run bottom-up: each unvisited vertex looks for a neighbour in the level";
  variant.tunables =
      tunables<Shape>({{"bottom_up_threshold", &Shape::bottom_up_threshold, {8, 16, 32, 64, 128}}});
  bfs::add_queue(&variant);
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace direction

namespace queues {

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

Variant form() {
  Variant variant;
  variant.description =
      "threads divide the vertices of each level and buffer the new vertices that they find";
  bfs::add_queue(&variant);
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace queues

}  // namespace

std::vector<Variant> bfs_openmp() {
  return {
      named("direction", direction::form()),
      named("queues", queues::form()),
  };
}

}  // namespace sextant
