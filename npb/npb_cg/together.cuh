// Sums over all threads of a grid whose blocks all run, each of which is a barrier, too: every block posts its part and
// reads everybody's, and adds them in the order of the blocks, so that all have the same sum, run after run.
#pragma once

#include "toolbox/cuda/patience.cuh"
#include "toolbox/cuda/posted.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::npb_cg {
namespace {

inline constexpr int most_sums = 3;  // at a time

// Where blocks post: most_sums a block for even rounds, then the same for odd ones. Zeroed before a launch.
struct Board {
  Posted* posted;
  Patience patience;
};

// What orders memory between a block's barrier and its posting, and between reading postings and the next barrier.
__device__ __forceinline__ void order() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

// A block's side of it. All threads of all blocks call the same functions in the same order.
template <int block_warps>
class Together {
 public:
  struct Shared {
    double parts[most_sums][block_warps];  // of the block's warps
    double sums[most_sums][block_warps];   // of 32 blocks each
  };

  __device__ Together(const Board& board, Shared& shared) : board_(board), shared_(shared) {}

  // All threads' values of all blocks: each of `count` is replaced by its sum. What was written before is seen after it by
  // all blocks, if `with_memory`.
  template <bool with_memory = true, int count>
  __device__ __forceinline__ void add(double (&values)[count]) {
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    const int groups = (static_cast<int>(gridDim.x) + 31) / 32;  // of blocks, a warp each
    ++round_;
#pragma unroll
    for (int v = 0; v < count; ++v) {
      const double sum = warp_sum(values[v]);
      if (lane == 0) shared_.parts[v][warp] = sum;
    }
    __syncthreads();
    if (warp < count) post_sum<with_memory>(warp, lane);
    for (int w = warp; w < count * groups; w += block_warps)
      read_sums<with_memory>(w / groups, w % groups, lane);
    __syncthreads();
#pragma unroll
    for (int v = 0; v < count; ++v) {
      values[v] = 0;
      for (int g = 0; g < groups; ++g) values[v] += shared_.sums[v][g];
    }
  }

  template <bool with_memory = true>
  __device__ __forceinline__ double add(double value) {
    double values[1] = {value};
    add<with_memory>(values);
    return values[0];
  }

  __device__ __forceinline__ void wait() { add(0.0); }

 private:
  __device__ __forceinline__ Posted* slots(int index) const {
    return board_.posted + ((round_ & 1) * most_sums + static_cast<unsigned>(index)) * gridDim.x;
  }

  template <bool with_memory>
  __device__ __forceinline__ void post_sum(int index, int lane) {
    const double own = warp_sum(lane < block_warps ? shared_.parts[index][lane] : 0.0);
    if (lane != 0) return;
    if constexpr (with_memory) order();
    post(slots(index) + blockIdx.x, own, round_);
  }

  template <bool with_memory>
  __device__ __forceinline__ void read_sums(int index, int group, int lane) {
    const int slot = group * 32 + lane;
    double value = 0;
    if (slot < static_cast<int>(gridDim.x)) {
      const Posted* const from = slots(index) + slot;
      int peeks = 0;
      while (!peek(from, round_, value) && !gave_up_)
        if (++peeks >= board_.patience.peeks) gave_up_ = true, board_.patience.give_up();
    }
    if constexpr (with_memory) order();
    const double sum = warp_sum(value);
    if (lane == 0) shared_.sums[index][group] = sum;
  }

  Board board_;
  Shared& shared_;
  unsigned round_ = 0;
  bool gave_up_ = false;
};

}  // namespace
}  // namespace sextant::npb_cg
