// Some sequences a block, a state a thread, for any number of states: a number of A that is read serves all of the block's sequences, whose
// words of the step before lie beside each other in shared memory. Blocks take sequences in turn.
#pragma once

#include "packed.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::viterbi {

// How many words a read has, of `together`.
template <int together>
inline constexpr int words_of_read = together < 4 ? together : 4;

// Where a path ends, of words that lie `together` apart, and back from there; by one thread.
__device__ __forceinline__ void walk_back_packed(const Task& task, const Packing& packing,
                                                 const std::int32_t* words, int together, const Place* places,
                                                 std::int32_t* path) {
  std::int32_t most = words[0];
  for (std::int64_t j = 1; j < task.states; ++j) most = max(most, words[j * together]);
  std::int64_t state = packing.state(most);
  for (std::int64_t t = task.length - 1; t > 0; --t) {
    path[t] = static_cast<std::int32_t>(state);
    state = places[t * task.states + state];
  }
  path[0] = static_cast<std::int32_t>(state);
}

// The best words for state j, of all sequences.
template <int together>
__device__ __forceinline__ void best_words(const Task& task, const Packing& packing, std::int64_t j,
                                           const std::int32_t* before, std::int32_t (&most)[together]) {
  constexpr int part = words_of_read<together>;
#pragma unroll
  for (int q = 0; q < together; ++q) most[q] = lowest;
#pragma unroll 4
  for (std::int64_t i = 0; i < task.states; ++i) {
    const std::int32_t way = packing.above(task.a[i * task.states + j]);
#pragma unroll
    for (int q = 0; q < together; q += part) {
      const auto words = load<part>(before + i * together + q);
#pragma unroll
      for (int k = 0; k < part; ++k) most[q + k] = __viaddmax_s32(words[k], way, most[q + k]);
    }
  }
}

// Sequences from `first` on, as many as there are. `words`: two steps' of all states; `places`: the block's own.
template <int together>
__device__ __forceinline__ void decode_together(const Task& task, const Packing& packing, std::int64_t first,
                                                std::int32_t* words, Place* places) {
  const auto j = static_cast<std::int32_t>(threadIdx.x);
  const bool is_state = j < task.states;
  const std::int64_t all = task.states * together, of_one = task.length * task.states;
  const auto symbol = [&](int q, std::int64_t t) {  // behind the last sequence: its own once more
    return task.observed[min(first + q, task.sequences - 1) * task.length + t];
  };
  for (std::int64_t t = 0; t < task.length; ++t) {
    const std::int32_t* before = words + (t + 1) % 2 * all;
    std::int32_t* now = words + t % 2 * all;
    if (is_state) {
      std::int32_t most[together] = {}, base[together] = {};
      if (t > 0) {
        best_words<together>(task, packing, j, before, most);
#pragma unroll
        for (int q = 0; q < together; ++q) {
          places[q * of_one + t * task.states + j] = static_cast<Place>(packing.state(most[q]));
          base[q] = packing.score(before[q]);
        }
      }
#pragma unroll
      for (int q = 0; q < together; ++q)
        now[j * together + q] =
            packing.word(packing.score(most[q]) - base[q] + task.e[j * symbols + symbol(q, t)], j);
    }
    __syncthreads();
  }
  if (j < together && first + j < task.sequences)
    walk_back_packed(task, packing, words + (task.length - 1) % 2 * all + j, together, places + j * of_one,
                     task.path + (first + j) * task.length);
  __syncthreads();  // the next sequences take the same place
}

}  // namespace sextant::viterbi
