// The form that one would write first: every level is a region over all vertices.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

void begin(std::int64_t n, std::int32_t source, std::int32_t* level) {
#pragma acc parallel loop gang vector present(level [0:n])
  for (std::int64_t v = 0; v < n; ++v) level[v] = v == source ? 0 : -1;
}

// Whether there is a further level. Of several who reach a vertex all write the same.
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

}  // namespace

Variant bfs_openacc_sweep() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: a region a level over all vertices";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
