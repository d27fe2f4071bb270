#include <openacc.h>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

// One compute region per level, over the vertices that the previous level found. One gang handles a vertex,
// one vector lane a neighbour.
namespace frontier {

using Lengths = Choices<32, 64, 128>;

struct Gangs {
  int vector_length = 32;
};

void begin(std::int64_t n, std::int32_t source, std::int32_t* level, std::int32_t* queue,
           std::int32_t* tail) {
#pragma acc parallel loop gang vector deviceptr(level, queue, tail)
  for (std::int64_t v = 0; v < n; ++v) {
    level[v] = v == source ? 0 : -1;
    if (v == source) queue[0] = source, tail[0] = 1;
  }
}

// Expands queue entries first to last - 1. The lane whose atomic exchange returns -1 claims the vertex. Later
// lanes write the same level again, but do not queue the vertex.
template <int length>
void expand(std::int32_t first, std::int32_t last, std::int32_t next, const std::int32_t* row,
            const std::int32_t* adjacent, std::int32_t* level, std::int32_t* queue, std::int32_t* tail) {
#pragma acc parallel loop gang vector_length(length) deviceptr(row, adjacent, level, queue, tail)
  for (std::int32_t i = first; i < last; ++i) {
    const std::int32_t v = queue[i], from = row[v], to = row[v + 1];
#pragma acc loop vector
    for (std::int32_t e = from; e < to; ++e) {
      const std::int32_t w = adjacent[e];
      if (level[w] >= 0) continue;
      std::int32_t before, place;
#pragma acc atomic capture
      {
        before = level[w];
        level[w] = next;
      }
      if (before >= 0) continue;
#pragma acc atomic capture
      place = tail[0]++;
      queue[place] = w;
    }
  }
}

void launch(const Call& call) {
  const bfs::Task task(call);
  const auto on_device = [&](int index) {
    return static_cast<std::int32_t*>(acc_deviceptr(call.address(index)));
  };
  std::int32_t *row = on_device(0), *adjacent = on_device(1), *level = on_device(2),
               *queue = static_cast<std::int32_t*>(call.state), *tail = queue + task.n;
  begin(task.n, task.source, level, queue, tail);
  Lengths::with(call.tuned<Gangs>().vector_length, [&]<int length>() {
    std::int32_t first = 0, last = 1;
    for (std::int32_t next = 1; first < last; ++next) {
      expand<length>(first, last, next, row, adjacent, level, queue, tail);
      first = last;
      acc_memcpy_from_device(&last, tail, sizeof last);
    }
  });
}

std::int64_t workspace(const Problem& problem, const int*) { return 4 * (bfs::vertices_of(problem) + 1); }

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, nullptr)));
  return *state ? nullptr : "no device memory for the queue";
}

}  // namespace frontier

// The straightforward implementation: one compute region per level, over all vertices.
namespace sweep {

struct Gang {
  int vector_length = 128;
};

void begin(std::int64_t n, std::int32_t source, std::int32_t* level) {
#pragma acc parallel loop gang vector present(level [0:n])
  for (std::int64_t v = 0; v < n; ++v) level[v] = v == source ? 0 : -1;
}

// Returns true if a vertex was found, so that there is another level. Several threads may reach the same
// vertex; all of them write the same level.
template <int length>
bool sweep(std::int64_t n, std::int64_t entries, std::int32_t now, const std::int32_t* row,
           const std::int32_t* adjacent, std::int32_t* level) {
  int found = 0;
#pragma acc parallel loop gang vector vector_length(length) copy(found) reduction(max      \
                                                                                  : found) \
    present(row [0:n + 1], adjacent [0:entries], level [0:n])
  for (std::int64_t v = 0; v < n; ++v) {
    if (level[v] != now) continue;
#pragma acc loop seq
    for (std::int32_t e = row[v]; e < row[v + 1]; ++e)
      if (level[adjacent[e]] < 0) {
        level[adjacent[e]] = now + 1;
        found = 1;
      }
  }
  return found != 0;
}

void launch(const Call& call) {
  const bfs::Task task(call);
  begin(task.n, task.source, task.level);
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    for (std::int32_t now = 0; sweep<length>(task.n, task.entries, now, task.row, task.adjacent, task.level);)
      ++now;
  });
}

}  // namespace sweep

}  // namespace

std::vector<Variant> bfs_openacc() {
  return {
      {.name = "frontier",
       .description =
           "one region per level over the vertices found before: one gang per vertex, one lane per neighbour",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<frontier::Gangs>(
           {{"vector_length", &frontier::Gangs::vector_length, frontier::Lengths::list()}}),
       .launch = {.int32 = frontier::launch},
       .prepare = frontier::prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = frontier::workspace},
      {.name = "sweep",
       .description = "the plain form: one region per level over all vertices",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<sweep::Gang>({{"vector_length", &sweep::Gang::vector_length, BlockSizes::list()}}),
       .launch = {.int32 = sweep::launch}},
  };
}

}  // namespace sextant
