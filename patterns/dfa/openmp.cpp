#include <omp.h>

#include <vector>

#include "transitions.hpp"

namespace sextant {
namespace {

using dfa::PartTransition;
using dfa::Transition;

const char* prepare(const Call&, void** state) {
  *state = new PartTransition[static_cast<std::size_t>(omp_get_max_threads())];
  return nullptr;
}

// Each thread processes one chunk of text from all 16 start states at a time. Once these have led to one
// common state, it stores the further states directly. It processes the blocks before that point again when
// the previous chunk's final state is known.
namespace converge {

void launch(const Call& call) {
  const dfa::Task task(call);
  auto* parts = static_cast<PartTransition*>(call.state);
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const std::int64_t begin = dfa::begin_of(task.blocks, threads, thread),
                       end = dfa::begin_of(task.blocks, threads, thread + 1);
    Transition transition = thread == 0 ? Transition::from_state(0) : Transition();
    std::int64_t open = begin;  // first block after which all start states have led to the same state
    while (open < end) {
      dfa::step_block(task.table, task.text + open * dfa::block_bytes, transition);
      if (transition.one_is_left()) break;
      ++open;
    }
    if (open < end) {
      task.state[open] = transition.first();
      dfa::walk_blocks(task, open + 1, end, transition.first());
      transition = Transition::from_state(task.state[end - 1]);
    }
    transition.store(parts[thread].to);
#pragma omp barrier
    int from = 0;
    for (std::int64_t t = 0; t < thread; ++t) from = parts[t].to[from];
    dfa::walk_blocks(task, begin, open, from);
  }
}

}  // namespace converge

// One chunk of text per thread, read twice. First the thread computes the chunk's transition function. Then
// it computes the states from the true start state.
namespace enumerate {

void launch(const Call& call) {
  const dfa::Task task(call);
  auto* parts = static_cast<PartTransition*>(call.state);
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const std::int64_t begin = dfa::begin_of(task.blocks, threads, thread),
                       end = dfa::begin_of(task.blocks, threads, thread + 1);
    Transition transition;
    if (thread > 0 && thread < threads - 1)  // the last chunk's final state is not needed
      for (std::int64_t b = begin; b < end; ++b)
        dfa::step_block(task.table, task.text + b * dfa::block_bytes, transition);
    if (thread == 0) {
      dfa::walk_blocks(task, begin, end, 0);
      transition = Transition::from_state(begin < end ? task.state[end - 1] : 0);
    }
    transition.store(parts[thread].to);
#pragma omp barrier
    int from = 0;
    for (std::int64_t t = 0; t < thread; ++t) from = parts[t].to[from];
    if (thread > 0) dfa::walk_blocks(task, begin, end, from);
  }
}

}  // namespace enumerate

}  // namespace

std::vector<Variant> dfa_openmp() {
  return {
      {.name = "converge",
       .description =
           "one chunk per thread: all 16 states until they converge, then one; the start of the chunk is "
           "repeated",
       .launch = {.int32 = converge::launch},
       .prepare = prepare,
       .release = [](void* state) { delete[] static_cast<PartTransition*>(state); }},
      {.name = "enumerate",
       .description =
           "one chunk per thread, read twice: its transition function by byte shuffles, then its states",
       .launch = {.int32 = enumerate::launch},
       .prepare = prepare,
       .release = [](void* state) { delete[] static_cast<PartTransition*>(state); }},
  };
}

}  // namespace sextant
