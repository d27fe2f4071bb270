// How the blocks' sum of a part becomes that of all parts: each part posts its own into the memory of all others, a number and its
// round in one word, and adds up what comes in the order of the parts. So all have the same sum, after one message's time.
#pragma once

#include "fused.cuh"
#include "toolbox/cuda/part_graphs.cuh"

namespace sextant::reduction {

// Of one part. Who is alone has nobody to wait for, and needs but the number of parts.
struct Among {
  peers::Of<peers::Letter> mail;  // of two rounds, from each part
  unsigned* rounds = nullptr;     // how many this part has posted
  int part = 0, parts = 1;
  Patience patience;
};

__device__ __forceinline__ uint2 halves_of(double value) {
  return {static_cast<unsigned>(__double2loint(value)), static_cast<unsigned>(__double2hiint(value))};
}
__device__ __forceinline__ uint2 halves_of(float value) { return {__float_as_uint(value), 0}; }

__device__ __forceinline__ void take_halves(uint2 halves, double& value) {
  value = __hiloint2double(static_cast<int>(halves.y), static_cast<int>(halves.x));
}
__device__ __forceinline__ void take_halves(uint2 halves, float& value) { value = __uint_as_float(halves.x); }

// One whole warp of a part, whose first lane has the part's sum; there is the sum of all then. Two rounds' mail suffices: who posts
// round r + 2 has read round r + 1 of all others, whose kernels of round r had ended.
template <typename T>
__device__ __forceinline__ T sum_of_parts(T own, const Among& among) {
  if (among.parts == 1) return own;
  const int lane = static_cast<int>(threadIdx.x % 32);
  T value = __shfl_sync(~0u, own, 0);
  const unsigned round = __shfl_sync(~0u, lane == 0 ? peers::next_round(among.rounds, 0) : 0, 0);
  if (lane < among.parts && lane != among.part) {
    const int box = static_cast<int>(round & 1) * among.parts;
    Patience patience = among.patience;
    peers::post(among.mail[lane] + box + among.part, halves_of(value), round);
    take_halves(peers::wait_for(among.mail[among.part] + box + lane, round, patience), value);
  }
  T sum = __shfl_sync(~0u, value, 0);
  for (int part = 1; part < among.parts; ++part) sum += __shfl_sync(~0u, value, part);
  return sum;
}

// As add_blocks.
template <int block, typename T>
__device__ __forceinline__ void add_blocks_and_parts(T total, T* scratch, T* sum, Box<T>* boxes,
                                                     const Among& among) {
  total = sum_of_blocks<block>(total, scratch, boxes);
  if (blockIdx.x > 0 || threadIdx.x >= 32) return;
  total = sum_of_parts(total, among);
  if (threadIdx.x == 0) *sum = total;
}

}  // namespace sextant::reduction
