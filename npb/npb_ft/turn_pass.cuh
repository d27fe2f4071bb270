// The pass along z of a field in parts: a part has all of z of some tiles in U, and whole planes of v. So the pass is the
// transposition: its lines come from the planes of all parts, or go there.
#pragma once

#include "toolbox/cuda/peers.cuh"
#include "yz_pass.cuh"

namespace sextant::npb_ft {

struct TurnPass {
  YzPass pass;             // orders as if one part had all; `from` or `to` is U, where tile 0 would be
  peers::Of<Pair> planes;  // of each part
  int log_parts;           // at most as many as a thread has elements
  int first_tile, tiles;   // the part's, which blocks take by turns
  // Of a thread's elements the inverse pass stores those whose number & half_bit is half: one half of each part's planes, or all.
  int half_bit = 0, half = 0;
};

// forward: from planes to U; else from U, with the decay, to planes. The elements of a thread lie `threads` apart along z, so
// that each `points / parts` of them are in one part's planes. joined: as of transform_yz.
template <int n, int points, bool forward, bool joined>
__device__ __forceinline__ void turn_tile(const TurnPass& turning, int tile, unsigned char* shared) {
  constexpr int threads = n / points;
  const YzPass& pass = turning.pass;
  const YzPlace at = yz_place(pass, tile + turning.first_tile);
  const int columns = static_cast<int>(blockDim.x);
  const Exchange<points> exchange{reinterpret_cast<double*>(shared) + threadIdx.x, columns};
  const Tiles& order = forward ? pass.read : pass.write;
  const std::int64_t first = order.index(at), step = order.step(threads);
  int log_each = log2_of(points) - turning.log_parts;
  if constexpr (forward)
    asm volatile("" : "+r"(log_each));  // else all elements' places are kept from tile to tile, and spill
  const auto in_planes = [&](int e) {
    return turning.planes[e >> log_each] + first + (e & ((1 << log_each) - 1)) * step;
  };
  double re[points], im[points];
  if constexpr (forward) {
#pragma unroll
    for (int e = 0; e < points; ++e) {
      const Pair value = *in_planes(e);
      re[e] = value.re;
      im[e] = value.im;
    }
  } else {
    load_line(pass.from + pass.read.index(at), pass.read.step(threads), re, im);
    evolve_line(pass, at, threads, re, im);
  }
  passes<n, points, 1>(at.thread, pass.factors, exchange, re, im);
  if constexpr (joined)
    join_rows(!forward, pass.y(at.first, at.second, 0), pass.y.row * 2, at.row, columns / 2, re, im);
  if constexpr (forward) {
    store_line(pass.to + pass.write.index(at), pass.write.step(threads), re, im);
  } else {
#pragma unroll
    for (int e = 0; e < points; ++e)
      if ((e & turning.half_bit) == turning.half) *in_planes(e) = {re[e], im[e]};
  }
}

template <int n, int points, bool forward, bool joined>
__global__ void __launch_bounds__(most_threads(points)) turn(const __grid_constant__ TurnPass turning) {
  extern __shared__ __align__(16) unsigned char shared[];
  const int blocks = static_cast<int>(gridDim.x);
#pragma unroll 1
  for (int tile = static_cast<int>(blockIdx.x); tile < turning.tiles; tile += blocks) {
    turn_tile<n, points, forward, joined>(turning, tile, shared);
    if (tile + blocks < turning.tiles) __syncthreads();  // the exchange has been read
  }
}

}  // namespace sextant::npb_ft
