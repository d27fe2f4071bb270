// Level-by-level breadth-first search on host threads. A thread claims a vertex by compare-and-swap.
#pragma once

#include <atomic>

#include "queue.hpp"

namespace sextant::bfs {

// Sets the level of vertex w. Returns false if its level was already set.
static inline bool claim(std::int32_t* level, std::int32_t w, std::int32_t next) {
  std::atomic_ref<std::int32_t> at(level[w]);
  std::int32_t expected = at.load(std::memory_order_relaxed);
  return expected < 0 && at.compare_exchange_strong(expected, next, std::memory_order_relaxed);
}

// Buffers the vertices that one thread found, until they are appended to the shared queue.
class Found {
 public:
  Found(std::int32_t* queue, std::int64_t* tail) : queue_(queue), tail_(tail) {}
  void add(std::int32_t v) {
    if (count_ == room) flush();
    vertices_[count_++] = v;
  }
  void flush() {
    if (count_ == 0) return;
    std::int64_t place = std::atomic_ref<std::int64_t>(*tail_).fetch_add(count_, std::memory_order_relaxed);
    for (int i = 0; i < count_; ++i) queue_[place++] = vertices_[i];
    count_ = 0;
  }

 private:
  static constexpr int room = 512;
  std::int32_t* queue_;
  std::int64_t* tail_;
  std::int32_t vertices_[room];
  int count_ = 0;
};

static inline void expand(const Task& task, std::int32_t v, std::int32_t next, Found& found) {
  for (std::int32_t e = task.row[v]; e < task.row[v + 1]; ++e)
    if (claim(task.level, task.adjacent[e], next)) found.add(task.adjacent[e]);
}

}  // namespace sextant::bfs
