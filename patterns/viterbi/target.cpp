#include "gangs.hpp"
#include "toolbox/target/memory.hpp"

namespace sextant {
namespace {

using viterbi::Gangs;
using viterbi::Task;

// Each team decodes one sequence at a time (gangs.hpp).
namespace gang_sequence {

void decode(const Task& task, int gangs, std::int64_t bytes_of_gang, char* memory) {
  const std::int64_t states = task.states, length = task.length, sequences = task.sequences,
                     square = states * states, emissions = viterbi::symbols * states,
                     count = sequences * length, all = gangs * bytes_of_gang;
  const std::int32_t *a = task.a, *e = task.e, *observed = task.observed;
  std::int32_t* path = task.path;
#pragma omp target SEXTANT_ONE_WARP map(a [0:square], e [0:emissions], observed [0:count], path [0:count], \
                                        memory [0:all])
#pragma omp teams distribute num_teams(gangs)
  for (int g = 0; g < gangs; ++g) {
    const Task mine = {states, length, sequences, a, e, observed, path};
    const viterbi::Packing packing(states);
    char* bytes = memory + g * bytes_of_gang;
    for (std::int64_t b = g; b < sequences; b += gangs) {
      const std::int32_t* own = observed + b * length;
#pragma omp SEXTANT_LANES
      for (int j = 0; j < static_cast<int>(states); ++j) viterbi::begin<true>(mine, packing, own, j, bytes);
      for (std::int64_t t = 1; t < length; ++t)
#pragma omp SEXTANT_LANES
        for (int j = 0; j < static_cast<int>(states); ++j)
          viterbi::advance<true>(mine, packing, own, t, j, bytes);
      viterbi::finish(mine, b, bytes);
    }
  }
}

void launch(const Call& call) {
  const Task task = viterbi::task_of(call);
  decode(task, viterbi::gangs_of(call.problem, call.tuned<Gangs>()), viterbi::bytes_of_one(task),
         target::memory_of<char>(call));
}

Variant form() {
  Variant variant =
      target::mapped_variant("one sequence per team, one state per lane; score and state packed in one word");
  variant.tunables = tunables<Gangs>({{"num_gangs", &Gangs::num_gangs, {132, 528, 1056, 2112, 4224}}});
  target::add_memory<by_name<viterbi::bytes_of_gangs>>(&variant);
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace gang_sequence

// The straightforward implementation: each thread decodes one sequence at a time (gangs.hpp).
namespace parallel_for {

void decode(const Task& task, int gangs, std::int64_t bytes_of_gang, char* memory) {
  const std::int64_t states = task.states, length = task.length, sequences = task.sequences,
                     square = states * states, emissions = viterbi::symbols * states,
                     count = sequences * length, all = gangs * bytes_of_gang;
  const std::int32_t *a = task.a, *e = task.e, *observed = task.observed;
  std::int32_t* path = task.path;
#pragma omp target teams distribute parallel for map(a [0:square], e [0:emissions], observed [0:count], \
                                                     path [0:count], memory [0:all])
  for (int g = 0; g < gangs; ++g) {
    const Task mine = {states, length, sequences, a, e, observed, path};
    const viterbi::Packing packing(states);
    char* bytes = memory + g * bytes_of_gang;
    for (std::int64_t b = g; b < sequences; b += gangs) {
      const std::int32_t* own = observed + b * length;
      for (int j = 0; j < static_cast<int>(states); ++j) viterbi::begin<false>(mine, packing, own, j, bytes);
      for (std::int64_t t = 1; t < length; ++t)
        for (int j = 0; j < static_cast<int>(states); ++j)
          viterbi::advance<false>(mine, packing, own, t, j, bytes);
      viterbi::finish(mine, b, bytes);
    }
  }
}

void launch(const Call& call) {
  const Task task = viterbi::task_of(call);
  decode(task, viterbi::gangs_of(call.problem, call.tuned<Gangs>()), viterbi::bytes_of_one(task),
         target::memory_of<char>(call));
}

Variant form() {
  Variant variant =
      target::mapped_variant("the plain form: target teams distribute parallel for, one sequence per thread");
  variant.tunables = tunables<Gangs>({{"num_gangs", &Gangs::num_gangs, {1056, 4224, 16896}}});
  target::add_memory<by_name<viterbi::bytes_of_gangs>>(&variant);
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace parallel_for

}  // namespace

std::vector<Variant> viterbi_target() {
  return {
      named("gang_sequence", gang_sequence::form()),
      named("parallel_for", parallel_for::form()),
  };
}

}  // namespace sextant
