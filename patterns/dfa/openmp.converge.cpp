// A part a thread, once if its states become one: from there on the state is known, whatever it was before. The blocks before that are
// walked again, when the part before has told where it ends.
#include <omp.h>

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
    Way way = thread == 0 ? Way::from_state(0) : Way();
    std::int64_t open = begin;  // the first block after which the states are one
    while (open < end) {
      dfa::step_block(task.table, task.text + open * dfa::block_bytes, way);
      if (way.one_is_left()) break;
      ++open;
    }
    if (open < end) {
      task.state[open] = way.first();
      dfa::walk_ways(task, open + 1, end, way.first());
      way = Way::from_state(task.state[end - 1]);
    }
    way.store(parts[thread].to);
#pragma omp barrier
    int from = 0;
    for (std::int64_t t = 0; t < thread; ++t) from = parts[t].to[from];
    dfa::walk_ways(task, begin, open, from);
  }
}

const char* prepare(const Call&, void** state) {
  *state = new PartWay[static_cast<std::size_t>(omp_get_max_threads())];
  return nullptr;
}

}  // namespace

Variant dfa_openmp_converge() {
  Variant variant;
  variant.description =
      "a part a thread: all 16 states until one is left, then that one alone; the beginning once more";
  variant.launch.int32 = launch;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete[] static_cast<PartWay*>(state); };
  return variant;
}

}  // namespace sextant
