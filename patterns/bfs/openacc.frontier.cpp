// A region a level over the vertices that the one before found: a vertex a gang, a neighbour a lane.
#include <openacc.h>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

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

// Who exchanges a level of -1 has the vertex; whoever comes after finds the level that it would have written.
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
    return static_cast<std::int32_t*>(acc_deviceptr(call.arrays[index]));
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

}  // namespace

Variant bfs_openacc_frontier() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description =
      "a region a level over what the one before found: a vertex a gang, a neighbour a lane";
  variant.tunables = tunables<Gangs>({{"vector_length", &Gangs::vector_length, Lengths::list()}});
  variant.workspace = workspace;
  variant.prepare = prepare;
  variant.release = [](void* state) { acc_free(state); };
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
