// A part a thread, twice: where all 16 states before it lead; then, from the one that it is, the states within.
#include <omp.h>

#include <vector>

#include "ways.hpp"

namespace sextant {
namespace {

using dfa::PartWay;
using dfa::Way;

void launch(const Call& call) {
  const dfa::Task task(call);
  auto* parts = static_cast<PartWay*>(call.state);
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const std::int64_t begin = dfa::begin_of(task.blocks, threads, thread),
                       end = dfa::begin_of(task.blocks, threads, thread + 1);
    Way way;
    if (thread > 0 && thread < threads - 1)  // nobody asks where the last part leads
      for (std::int64_t b = begin; b < end; ++b)
        dfa::step_block(task.table, task.text + b * dfa::block_bytes, way);
    if (thread == 0) {
      dfa::walk_ways(task, begin, end, 0);
      way = Way::from_state(begin < end ? task.state[end - 1] : 0);
    }
    way.store(parts[thread].to);
#pragma omp barrier
    int from = 0;
    for (std::int64_t t = 0; t < thread; ++t) from = parts[t].to[from];
    if (thread > 0) dfa::walk_ways(task, begin, end, from);
  }
}

const char* prepare(const Call&, void** state) {
  *state = new PartWay[static_cast<std::size_t>(omp_get_max_threads())];
  return nullptr;
}

}  // namespace

Variant dfa_openmp_enumerate() {
  Variant variant;
  variant.description =
      "a part a thread: where all 16 states lead, by shuffles; then the walk from the right one";
  variant.launch.int32 = launch;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete[] static_cast<PartWay*>(state); };
  return variant;
}

}  // namespace sextant
