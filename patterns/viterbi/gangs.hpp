// Decoding for OpenACC and OpenMP offload. Each gang decodes one sequence at a time, with one state per lane.
// It has its own memory for the scores of two steps and the predecessor states.
#pragma once

#include "packed.hpp"

namespace sextant::viterbi {

struct Gangs {
  int num_gangs = 1056;
};

inline int gangs_of(const Problem& problem, const Gangs& gangs) {
  return static_cast<int>(std::min<std::int64_t>(gangs.num_gangs, sequences_of(problem)));
}
inline std::int64_t bytes_of_gangs(const Problem& p, const Gangs& gangs) {
  const std::int64_t states = states_of(p);
  return gangs_of(p, gangs) * bytes_of_one({states, length_of(p), 0, nullptr, nullptr, nullptr, nullptr});
}

// Computes the score of state j in the first step of a sequence.
template <bool packed>
SEXTANT_VITERBI_INLINE void begin(const Task& task, const Packing& packing, const std::int32_t* observed,
                                  std::int32_t j, char* bytes) {
  const Memory memory(task.states, bytes);
  const std::int32_t score = task.e[j * symbols + observed[0]];
  memory.before[j] = packed ? packing.word(score, j) : score;
}

// Computes score and predecessor of state j in step t. Steps use two score buffers alternately.
template <bool packed>
SEXTANT_VITERBI_INLINE void advance(const Task& task, const Packing& packing, const std::int32_t* observed,
                                    std::int64_t t, std::int32_t j, char* bytes) {
  const Memory memory(task.states, bytes);
  const std::int32_t* before = t % 2 == 1 ? memory.before : memory.after;
  std::int32_t* now = t % 2 == 1 ? memory.after : memory.before;
  const std::int32_t emission = task.e[j * symbols + observed[t]];
  Place* back = memory.back + t * task.states;
  if (packed) {
    std::int32_t most = lowest;
    for (std::int64_t i = 0; i < task.states; ++i) {
      const std::int32_t word = before[i] + packing.above(task.a[i * task.states + j]);
      most = word > most ? word : most;
    }
    back[j] = static_cast<Place>(packing.state(most));
    now[j] = packing.word(packing.score(most) + emission - packing.score(before[0]), j);
  } else {
    const Best best = best_way(task, before, j);
    back[j] = static_cast<Place>(best.from);
    now[j] = best.score + emission;
  }
}

SEXTANT_VITERBI_INLINE void finish(const Task& task, std::int64_t sequence, char* bytes) {
  const Memory memory(task.states, bytes);
  walk_back(task.states, task.length, task.length % 2 == 1 ? memory.before : memory.after, memory.back,
            task.path + sequence * task.length);
}

}  // namespace sextant::viterbi
