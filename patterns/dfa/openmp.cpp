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

// One chunk of text per thread. The chunk is read only once if its states converge: from that block on, the
// state is the same for every start state. Blocks before that are processed again once the previous chunk's
// final state is known.
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
    std::int64_t open = begin;  // first block after which all start states have led to the same state
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

// One chunk of text per thread, read twice. First the thread computes the chunk's transition function; then,
// from the true start state, the states.
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
    if (thread > 0 && thread < threads - 1)  // the last chunk's final state is not needed
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
