// viterbi: finds the most probable path of hidden states for each sequence of observations. Log-probabilities
// are whole numbers. Ties are broken backwards from the end of the path: the smallest state wins.
//
//     d[0][j] = E[j][o[0]];
//     for (t = 1; t < length; ++t)
//       for (j = 0; j < states; ++j) {
//         back[t][j] = the i for which d[t-1][i] + A[i][j] is largest;
//         d[t][j] = d[t-1][back[t][j]] + A[back[t][j]][j] + E[j][o[t]];
//       }
//     path[length-1] = the j for which d[length-1][j] is largest;
//     for (t = length - 1; t > 0; --t) path[t-1] = back[t][path[t]];
#pragma once

#include <algorithm>
#include <cstdint>

#include "suite/extents.hpp"
#include "suite/variant.hpp"

#ifdef __CUDACC__
  #define SEXTANT_VITERBI_INLINE __host__ __device__ __forceinline__
#else
  #define SEXTANT_VITERBI_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::viterbi {

inline constexpr std::int64_t symbols = 16;  // number of different observed symbols

// A predecessor state.
using Place = std::uint16_t;

// The number of states: the parameter `states`, or fewer (at least 2) if A and E then take more than half of
// all elements.
inline std::int64_t states_of(const Problem& p) {
  return std::min(p.parameters[0], square_root(p.extents.x / 2 + 64) - 8);
}
inline std::int64_t observations_of(const Problem& p) {
  const std::int64_t states = states_of(p);
  return (p.extents.x - states * states - symbols * states) / 2;
}
inline std::int64_t length_of(const Problem& p) { return std::min(p.parameters[1], observations_of(p)); }
inline std::int64_t sequences_of(const Problem& p) { return observations_of(p) / length_of(p); }

// The arrays and sizes of a call. A[i][j] is at a[i * states + j], E[j][symbol] at e[j * symbols + symbol].
// Sequences are stored one after the other.
struct Task {
  std::int64_t states, length, sequences;
  const std::int32_t *a, *e, *observed;
  std::int32_t* path;
};

inline Task task_of(const Call& call) {
  const Problem& p = call.problem;
  return {states_of(p),
          length_of(p),
          sequences_of(p),
          call.array<const std::int32_t>(0),
          call.array<const std::int32_t>(1),
          call.array<const std::int32_t>(2),
          call.array<std::int32_t>(3)};
}

// Best score of a way to a state, and the predecessor state on this way.
struct Best {
  std::int32_t score;
  std::int64_t from;
};
SEXTANT_VITERBI_INLINE Best best_way(const Task& task, const std::int32_t* before, std::int64_t j) {
  Best best{before[0] + task.a[j], 0};
  for (std::int64_t i = 1; i < task.states; ++i) {
    const std::int32_t score = before[i] + task.a[i * task.states + j];
    if (score > best.score) best = {score, i};
  }
  return best;
}

// Finds the best final state and follows the predecessors back to the start.
template <typename Score>
SEXTANT_VITERBI_INLINE void walk_back(std::int64_t states, std::int64_t length, const Score* last,
                                      const Place* back, std::int32_t* path) {
  std::int64_t state = 0;
  for (std::int64_t j = 1; j < states; ++j)
    if (last[j] > last[state]) state = j;
  for (std::int64_t t = length - 1; t > 0; --t) {
    path[t] = static_cast<std::int32_t>(state);
    state = back[t * states + state];
  }
  path[0] = static_cast<std::int32_t>(state);
}

// Size in bytes of the memory for one sequence: the scores of two steps, then one predecessor per step and
// state.
inline std::int64_t bytes_of_one(const Task& task) {
  return (2 * task.states * 4 + task.length * task.states * 2 + 63) / 64 * 64;
}
struct Memory {
  std::int32_t *before, *after;
  Place* back;
  SEXTANT_VITERBI_INLINE Memory(std::int64_t states, char* bytes)
      : before(reinterpret_cast<std::int32_t*>(bytes)),
        after(before + states),
        back(reinterpret_cast<Place*>(after + states)) {}
};

}  // namespace sextant::viterbi
