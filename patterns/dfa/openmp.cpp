#include <omp.h>

#include <vector>

#include "ways.hpp"

namespace sextant {
namespace {

using dfa::PartWay;
using dfa::Way;

const char* prepare(const Call&, void** state) {
  *state = new PartWay[static_cast<std::size_t>(omp_get_max_threads())];
  return nullptr;
}

// A part a thread, once if its states become one: from there on the state is known, whatever it was before.
// The blocks before that are walked again, when the part before has told where it ends.
namespace converge {

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

}  // namespace converge

// A part a thread, twice: where all 16 states before it lead; then, from the one that it is, the states
// within.
namespace enumerate {

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

}  // namespace enumerate

}  // namespace

std::vector<Variant> dfa_openmp() {
  return {
      {.name = "converge",
       .description =
           "a part a thread: all 16 states until one is left, then that one alone; the beginning once more",
       .launch = {.int32 = converge::launch},
       .prepare = prepare,
       .release = [](void* state) { delete[] static_cast<PartWay*>(state); }},
      {.name = "enumerate",
       .description =
           "a part a thread: where all 16 states lead, by shuffles; then the walk from the right one",
       .launch = {.int32 = enumerate::launch},
       .prepare = prepare,
       .release = [](void* state) { delete[] static_cast<PartWay*>(state); }},
  };
}

}  // namespace sextant
