// Single-pass scan of transition functions: all tiles in one launch, with decoupled look-back.
//
// Each thread composes the functions of its 64-byte blocks by byte-permutation instructions, from the last
// byte to the first. Threads and warps compose their functions by shuffles. Then each tile looks back for its
// start state. Thread blocks are persistent, so that each builds the tables in shared memory only once.
#pragma once

#include "toolbox/cuda/attributes.cuh"
#include "transitions.cuh"

namespace sextant::dfa {

inline constexpr int packed_threads = 256;

// The automaton's table as selectors of byte permutations: the 16 states of a row, four states per 32-bit
// word. Each row has eight copies, so that the eight lanes of a quarter-warp read without bank conflicts.
struct Selectors {
  static constexpr int copies = 8;
  uint4 at[symbols][copies];

  __device__ __forceinline__ void fill(const unsigned char* table) {
    for (int byte = static_cast<int>(threadIdx.x); byte < symbols; byte += packed_threads) {
      const unsigned char* row = table + 16 * byte;
      const uint4 selectors = {selectors_of(row, 0, 1), selectors_of(row, 4, 1), selectors_of(row, 15, -1),
                               selectors_of(row, 11, -1)};
      for (int copy = 0; copy < copies; ++copy) at[byte][(copy + byte) % copies] = selectors;
    }
  }
};

// Extends `transition` by the four bytes of `word`, which precede the bytes that it already covers.
__device__ __forceinline__ void step_back(const uint4* selectors, unsigned word, Transition& transition) {
#pragma unroll
  for (int k = 3; k >= 0; --k) {
    const uint4 four = selectors[(word >> (8 * k) & 0xFF) * Selectors::copies];
    transition.follow(four.x, four.y, four.z, four.w);
  }
}

__device__ __forceinline__ Packed transition_of_block(const uint4* selectors, const unsigned char* text) {
  const auto* vectors = reinterpret_cast<const uint4*>(text);
  const uint4 words[4] = {vectors[0], vectors[1], vectors[2], vectors[3]};
  Transition transition;
#pragma unroll
  for (int v = 3; v >= 0; --v) {
    step_back(selectors, words[v].w, transition);
    step_back(selectors, words[v].z, transition);
    step_back(selectors, words[v].y, transition);
    step_back(selectors, words[v].x, transition);
  }
  return transition.packed();
}

// The composed transition functions of all threads before the calling one (`before`) and of all threads of
// the block (`all`).
struct BlockTransitions {
  Packed before, all;

  __device__ __forceinline__ BlockTransitions(Packed own, Packed* totals) {
    constexpr int warps = packed_threads / 32;
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    const Packed upto = warp_inclusive_transition(own);
    before = __shfl_up_sync(~0u, upto, 1);
    if (lane == 0) before = stay;
    if (lane == 31) totals[warp] = upto;
    __syncthreads();
    const Packed warps_upto = warp_inclusive_transition(lane < warps ? totals[lane] : stay);
    all = __shfl_sync(~0u, warps_upto, 31);
    const Packed warps_before = __shfl_sync(~0u, warps_upto, warp > 0 ? warp - 1 : 0);
    if (warp > 0) before = composed(before, warps_before);
  }
};

// Computes all states. If `open` points to 0, the result is already complete and the kernel ends at once.
template <int pieces>
__global__ void __launch_bounds__(packed_threads, 4)
    pack(Task task, std::int64_t tiles, lookback::DescriptorArray<Packed> descriptors, const int* open) {
  if (open && *open == 0) return;
  extern __shared__ __align__(16) unsigned char memory[];
  auto& selectors = *reinterpret_cast<Selectors*>(memory);
  __shared__ Packed totals[packed_threads / 32];
  __shared__ lookback::Tile taken;
  __shared__ int begin;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) taken = lookback::take(descriptors);
  selectors.fill(task.table);
  __syncthreads();
  const lookback::Tile first = taken;
  const uint4* mine = &selectors.at[0][thread % Selectors::copies];
  for (std::int64_t tile = first.number; tile < tiles; tile += gridDim.x) {
    const std::int64_t from = (tile * packed_threads + thread) * pieces;
    Packed transitions[pieces], own = stay;
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      transitions[p] =
          from + p < task.blocks ? transition_of_block(mine, task.text + (from + p) * block_bytes) : stay;
      own = p == 0 ? transitions[p] : composed(transitions[p], own);
    }
    const BlockTransitions block(own, totals);
    if (thread < 32) {
      const int state = state_before(descriptors, first.epoch, tile, block.all);
      if (thread == 0) begin = state;
    }
    __syncthreads();
    int state = led_to(block.before, begin);
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      state = led_to(transitions[p], state);
      if (from + p < task.blocks) task.state[from + p] = state;
    }
    __syncthreads();  // All threads have read `begin` and `totals`.
  }
}

template <int pieces>
std::int64_t packed_tiles(std::int64_t blocks) {
  constexpr std::int64_t each = packed_threads * pieces;
  return (blocks + each - 1) / each;
}

// Launches the kernel on the call's stream. All blocks must be resident at once, because a tile waits for
// earlier tiles, which may belong to any block.
template <int pieces>
void launch_packed(const Call& call, const lookback::Tickets& tickets, const int* open) {
  const Task task(call);
  const std::int64_t tiles = packed_tiles<pieces>(task.blocks);
  constexpr int bytes = sizeof(Selectors);
  int resident = 0;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, pack<pieces>, packed_threads, bytes) !=
      cudaSuccess)
    return;
  const auto grid =
      static_cast<unsigned>(std::min(tiles, std::int64_t{std::max(resident, 1)} * multiprocessors()));
  pack<pieces>
      <<<grid, packed_threads, bytes, stream_of(call)>>>(task, tiles, tickets.descriptors<Packed>(), open);
}

}  // namespace sextant::dfa
