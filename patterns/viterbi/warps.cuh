// A sequence a warp, for up to 32 states: each lane has a state, with A's column in registers; words of the step before come from shared
// memory, four a read. Places are five bits, kept for four steps in a word. Warps take sequences in turn, so that places of those under way
// are all that is kept, which the second-level cache holds.
#pragma once

#include "packed.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::viterbi {

inline constexpr int width = 32;  // lanes, and the most states
inline constexpr int shift = 5;   // bits of a state

// Of a block: two steps' words of each warp, and E by symbols.
template <int warps>
struct WarpsShared {
  alignas(16) std::int32_t words[warps][2][width];
  std::int32_t emissions[symbols][width];
};

// Words of places a sequence.
SEXTANT_VITERBI_INLINE std::int64_t place_words(std::int64_t length) { return (length + 3) / 4 * width; }

// Four words at a time: chains of maxima that do not wait for each other.
__device__ __forceinline__ std::int32_t best_word(const std::int32_t (&column)[width],
                                                  const std::int32_t* words) {
  std::int32_t most[4] = {lowest, lowest, lowest, lowest};
#pragma unroll
  for (int i = 0; i < width; i += 4) {
    const auto four = load<4>(words + i);
#pragma unroll
    for (int k = 0; k < 4; ++k) most[k] = __viaddmax_s32(four[k], column[i + k], most[k]);
  }
  return max(max(most[0], most[1]), max(most[2], most[3]));
}

// All steps of a sequence; the state that its path ends in, in every lane.
__device__ __forceinline__ int forward(const Task& task, const std::int32_t (&column)[width],
                                       const std::int32_t (*emissions)[width], const std::int32_t* observed,
                                       std::int32_t (*words)[width], unsigned* places) {
  const int lane = static_cast<int>(threadIdx.x) % width, length = static_cast<int>(task.length);
  const bool is_state = lane < task.states;
  std::int32_t symbol = 0, word = lowest;
  unsigned four = 0;
  for (int t = 0; t < length; ++t) {
    if (t % width == 0) symbol = t + lane < length ? observed[t + lane] : 0;
    std::int32_t score = emissions[__shfl_sync(~0u, symbol, t % width)][lane];
    if (t > 0) {
      std::int32_t* const before = words[t % 2];
      before[lane] = word;
      __syncwarp();
      const std::int32_t best = best_word(column, before);
      score += (best >> shift) - (before[0] >> shift);
      four |= static_cast<unsigned>(width - 1 - (best & (width - 1))) << 8 * (t % 4);
    }
    word = is_state ? score * width + width - 1 - lane : lowest;
    if (t % 4 == 3 || t == length - 1) {
      places[t / 4 * width + lane] = four;
      four = 0;
    }
  }
  __syncwarp();
  return width - 1 - (__reduce_max_sync(~0u, word) & (width - 1));
}

// From the end to the begin, 32 steps at a time, whose places are in registers: lanes all know the state, and of each step the lane of that
// state tells the others where it came from.
__device__ __forceinline__ void backward(const Task& task, int state, const unsigned* places,
                                         std::int32_t* path) {
  const int lane = static_cast<int>(threadIdx.x) % width, length = static_cast<int>(task.length);
  for (int first = (length - 1) / width * width; first >= 0; first -= width) {
    unsigned four[width / 4];
#pragma unroll
    for (int k = 0; k < width / 4; ++k)
      four[k] = first + 4 * k < length ? places[(first / 4 + k) * width + lane] : 0;
    int mine = 0;
#pragma unroll
    for (int s = width - 1; s >= 0; --s)
      if (first + s < length) {
        if (lane == s) mine = state;
        if (first + s > 0)
          state = static_cast<int>(__shfl_sync(~0u, four[s / 4], state) >> 8 * (s % 4) & 255u);
      }
    if (first + lane < length) path[first + lane] = mine;
  }
}

// The calling warp's sequences: number `warp` of `count` warps.
template <int warps>
__device__ __forceinline__ void decode_by_warps(const Task& task, int warp, int count, unsigned* places,
                                                WarpsShared<warps>& shared) {
  const int lane = static_cast<int>(threadIdx.x) % width, states = static_cast<int>(task.states);
  for (int at = static_cast<int>(threadIdx.x); at < symbols * width; at += warps * width)
    shared.emissions[at / width][at % width] =
        at % width < states ? task.e[at % width * symbols + at / width] : 0;
  std::int32_t column[width];
#pragma unroll
  for (int i = 0; i < width; ++i)
    column[i] = i < states && lane < states ? task.a[i * states + lane] * width : 0;
  __syncthreads();
  unsigned* const own = places + warp * place_words(task.length);
  for (std::int64_t b = warp; b < task.sequences; b += count) {
    const int state = forward(task, column, shared.emissions, task.observed + b * task.length,
                              shared.words[threadIdx.x / width], own);
    backward(task, state, own, task.path + b * task.length);
  }
}

}  // namespace sextant::viterbi
