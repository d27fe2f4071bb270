// Like openmp.enumerate, but with chunks of a fixed length. One std::for_each computes the transition
// functions of the chunks, a second one the states.
#include <vector>

#include "toolbox/host/algorithms.hpp"
#include "transitions.hpp"

namespace sextant {
namespace {

using dfa::Transition;

struct Transitions {
  // `to`: the 16 final states of each chunk; `from`: the state before each chunk.
  std::vector<unsigned char> to, from;
};

constexpr std::int64_t most_parts = 1024, least_blocks = 16;

std::int64_t parts_of(std::int64_t blocks) {
  return std::clamp<std::int64_t>(blocks / least_blocks, 1, most_parts);
}

void launch(const Call& call) {
  const dfa::Task task(call);
  const std::int64_t parts = parts_of(task.blocks);
  auto& transitions = *static_cast<Transitions*>(call.state);
  unsigned char *to = transitions.to.data(), *from = transitions.from.data();
  for_each_index(0, parts, [=](std::int64_t t) {
    Transition transition;
    const std::int64_t end = dfa::begin_of(task.blocks, parts, t + 1);
    for (std::int64_t b = dfa::begin_of(task.blocks, parts, t); b < end; ++b)
      dfa::step_block(task.table, task.text + b * dfa::block_bytes, transition);
    transition.store(to + 16 * t);
  });
  from[0] = 0;
  for (std::int64_t t = 1; t < parts; ++t) from[t] = to[16 * (t - 1) + from[t - 1]];
  for_each_index(0, parts, [=](std::int64_t t) {
    dfa::walk_blocks(task, dfa::begin_of(task.blocks, parts, t), dfa::begin_of(task.blocks, parts, t + 1),
                     from[t]);
  });
}

const char* prepare(const Call& call, void** state) {
  const auto parts = static_cast<std::size_t>(parts_of(dfa::blocks_of(call.problem)));
  *state = new Transitions{std::vector<unsigned char>(16 * parts), std::vector<unsigned char>(parts)};
  return nullptr;
}

}  // namespace

std::vector<Variant> dfa_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over chunks, twice: their transition functions, then their states",
           .launch = {.int32 = launch},
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<Transitions*>(state); }}};
}

}  // namespace sextant
