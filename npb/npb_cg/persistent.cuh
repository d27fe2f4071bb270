// The whole CG program in one cooperative launch (persistent kernel). Each thread owns elements of the
// vectors. The template argument `Product` computes the matrix-vector products.
#pragma once

#include <cuda_runtime.h>

#include "problem.hpp"
#include "suite/variant.hpp"
#include "toolbox/cuda/poll_limit.cuh"
#include "toolbox/cuda/posted.cuh"
#include "toolbox/cuda/warp.cuh"

// Sums over the whole grid; each sum is also a barrier of all blocks. Every block stores its partial sum,
// then adds the partial sums of all blocks in block order. All blocks therefore get the same sum in every
// run.
namespace sextant::npb_cg {
namespace {

inline constexpr int most_sums = 3;  // maximum number of sums at a time

// Memory for the blocks' partial sums. Consecutive sums use two halves alternately (double buffering); each
// half has most_sums slots per block. Must be zero before a launch.
struct Board {
  Posted* posted;
  PollLimit poll_limit;
};

// Memory fence. Writes before a block's barrier become visible before its partial sum. Accesses after the
// next barrier follow the reads of partial sums.
__device__ __forceinline__ void order() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

// Sums over the grid as one block computes them. All threads of all blocks must call the same functions in
// the same order.
template <int block_warps>
class Together {
 public:
  struct Shared {
    double parts[most_sums][block_warps];  // partial sums of the block's warps
    double sums[most_sums][block_warps];   // sums over groups of 32 blocks
  };

  __device__ Together(const Board& board, Shared& shared) : board_(board), shared_(shared) {}

  // Replaces each of the `count` values by its sum over all threads of all blocks. If `with_memory` is true,
  // all blocks also see everything that was written before the call.
  template <bool with_memory = true, int count>
  __device__ __forceinline__ void add(double (&values)[count]) {
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    // Number of groups of 32 blocks. One warp adds the sums of one group.
    const int groups = (static_cast<int>(gridDim.x) + 31) / 32;
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
        if (++peeks >= board_.poll_limit.peeks) gave_up_ = true, board_.poll_limit.give_up();
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

namespace sextant::npb_cg {
namespace {

// The vectors in global memory. Other threads read r and, at the end, z. The other vectors are used only if
// registers do not suffice.
struct Fields {
  double *x, *z, *r, *p, *q;
};

struct Run {
  std::int64_t n;
  int iterations, keep_all;  // keep_all: 1 stores zeta and rnorm of every iteration, 0 those of the last one
  double shift;
  Fields fields;
  Board board;
  double *zeta, *rnorm, *last_x;  // last_x may be null
};

// Returns the distance between two vectors in elements. It is even, because elements are read in pairs.
inline std::int64_t vector_room(std::int64_t n) { return (n + 1) / 2 * 2; }

// Returns the parameters of a call. Its five vectors start at `v`.
inline Run run_of(const Call& call, double* v, const Board& board) {
  const std::int64_t n = call.problem.extents.x, room = vector_room(n);
  return {n,
          static_cast<int>(iterations(call.problem)),
          with_vector(call.problem),
          shift(call.problem),
          {v, v + room, v + 2 * room, v + 3 * room, v + 4 * room},
          board,
          call.array<double>(zetas),
          call.array<double>(residuals),
          with_vector(call.problem) ? call.array<double>(eigenvector) : nullptr};
}

enum Field : unsigned { of_x = 1, of_z = 2, of_r = 4, of_p = 8, of_q = 16 };

// The vector elements that a thread owns: `held` of them in registers or, if `held` is 0, any number in
// global memory. each<reads, writes>(f) calls f(i, x, z, r, p, q) for each element; `reads` and `writes` name
// the vectors that f reads and writes.
template <int held>
struct Owned {
  std::int64_t first, stride, end;
  double x[held], z[held], r[held], p[held], q[held];
  __device__ Owned(const Run&, std::int64_t first, std::int64_t stride, std::int64_t end)
      : first(first), stride(stride), end(end) {}

  template <unsigned reads, unsigned writes, typename Each>
  __device__ __forceinline__ void each(const Each& each) {
#pragma unroll
    for (int k = 0; k < held; ++k) {
      const std::int64_t i = first + k * stride;
      if (i < end) each(i, x[k], z[k], r[k], p[k], q[k]);
    }
  }
};

// Elements in global memory. Several are loaded before the first is stored, so that their latencies overlap.
template <>
struct Owned<0> {
  static constexpr int together = 4;
  std::int64_t first, stride, end;
  Fields v;
  __device__ Owned(const Run& run, std::int64_t first, std::int64_t stride, std::int64_t end)
      : first(first), stride(stride), end(end), v(run.fields) {}

  template <unsigned reads, unsigned writes, typename Each>
  __device__ __forceinline__ void each(const Each& each) {
    for (std::int64_t i = first; i < end; i += together * stride) {
      double x[together], z[together], r[together], p[together], q[together];
#pragma unroll
      for (int k = 0; k < together; ++k) {
        const std::int64_t at = min(i + k * stride, end - 1);
        if constexpr (reads & of_x) x[k] = v.x[at];
        if constexpr (reads & of_z) z[k] = v.z[at];
        if constexpr (reads & of_r) r[k] = v.r[at];
        if constexpr (reads & of_p) p[k] = v.p[at];
        if constexpr (reads & of_q) q[k] = v.q[at];
      }
#pragma unroll
      for (int k = 0; k < together; ++k)
        if (const std::int64_t at = i + k * stride; at < end) {
          each(at, x[k], z[k], r[k], p[k], q[k]);
          if constexpr (writes & of_x) v.x[at] = x[k];
          if constexpr (writes & of_z) v.z[at] = z[k];
          if constexpr (writes & of_r) v.r[at] = r[k];
          if constexpr (writes & of_p) v.p[at] = p[k];
          if constexpr (writes & of_q) v.q[at] = q[k];
        }
    }
  }
};

// Runs the program. A Product must provide:
//   first(), stride(), end()  the elements of the vectors that the thread owns
//   load(v)          sets its copy of p to v
//   follow(r, beta)  sets its copy of p to r + beta p
//   multiply()       multiplies A by that copy
//   wait(together)   waits until the thread's elements of the product are available
//   gather(row)      returns one of these elements
// All threads must call each function but `gather`. `load` and `follow` must end with a block barrier.
template <int held, typename Product, int block_warps>
__device__ __forceinline__ void solve(const Run& run, Product& product, Together<block_warps>& together) {
  Owned<held> own(run, product.first(), product.stride(), product.end());
  const Fields& shown = run.fields;
  own.template each<0, of_x | of_r>(
      [&](std::int64_t i, double& x, double&, double& r, double&, double&) { shown.r[i] = r = x = 1; });
  double rho = static_cast<double>(run.n);
  together.wait();
  for (int it = 0; it < run.iterations; ++it) {
    product.load(shown.r);
    own.template each<of_r, of_z | of_p>(
        [&](std::int64_t, double&, double& z, double& r, double& p, double&) { z = 0, p = r; });
    for (int inner = 0; inner < inner_iterations; ++inner) {
      product.multiply();
      product.wait(together);
      double dot = 0;
      own.template each<of_p, of_q>([&](std::int64_t i, double&, double&, double&, double& p, double& q) {
        q = product.gather(i);
        dot += p * q;
      });
      const double alpha = rho / together.template add<false>(dot);
      double square = 0;
      own.template each<of_z | of_r | of_p | of_q, of_z | of_r>(
          [&](std::int64_t i, double&, double& z, double& r, double& p, double& q) {
            z += alpha * p;
            r -= alpha * q;
            shown.r[i] = r;
            if (inner == inner_iterations - 1) shown.z[i] = z;
            square += r * r;
          });
      const double next = together.add(square), beta = next / rho;
      rho = next;
      if (inner == inner_iterations - 1) break;
      own.template each<of_r | of_p, of_p>(
          [&](std::int64_t, double&, double&, double& r, double& p, double&) { p = r + beta * p; });
      product.follow(shown.r, beta);
    }
    product.load(shown.z);
    product.multiply();
    product.wait(together);
    double sums[3] = {};  // (x - A z)^2, x z and z^2
    own.template each<of_x | of_z, 0>([&](std::int64_t i, double& x, double& z, double&, double&, double&) {
      const double off = x - product.gather(i);
      sums[0] += off * off, sums[1] += x * z, sums[2] += z * z;
    });
    together.template add<false>(sums);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
      run.rnorm[run.keep_all ? it : 0] = sqrt(sums[0]);
      run.zeta[run.keep_all ? it : 0] = run.shift + 1 / sums[1];
    }
    const double scale = 1 / sqrt(sums[2]);
    double square = 0;
    own.template each<of_z, of_x | of_r>(
        [&](std::int64_t i, double& x, double& z, double& r, double&, double&) {
          shown.r[i] = r = x = scale * z;
          square += x * x;
        });
    rho = together.add(square);
  }
  if (run.last_x)
    own.template each<of_x, 0>(
        [&](std::int64_t i, double& x, double&, double&, double&, double&) { run.last_x[i] = x; });
}

}  // namespace
}  // namespace sextant::npb_cg
