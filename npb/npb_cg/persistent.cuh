// The whole program in one launch of blocks that all run: elements of vectors belong to threads, products to
// whoever `Product` says; scalars are in every block and never leave the device.
#pragma once

#include <cuda_runtime.h>

#include "problem.hpp"
#include "suite/variant.hpp"
#include "toolbox/cuda/patience.cuh"
#include "toolbox/cuda/posted.cuh"
#include "toolbox/cuda/warp.cuh"

// Sums over all threads of a grid whose blocks all run, each of which is a barrier, too: every block posts
// its part and reads everybody's, and adds them in the order of the blocks, so that all have the same sum,
// run after run.
namespace sextant::npb_cg {
namespace {

inline constexpr int most_sums = 3;  // at a time

// Where blocks post: most_sums a block for even rounds, then the same for odd ones. Zeroed before a launch.
struct Board {
  Posted* posted;
  Patience patience;
};

// What orders memory between a block's barrier and its posting, and between reading postings and the next
// barrier.
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

  // All threads' values of all blocks: each of `count` is replaced by its sum. What was written before is
  // seen after it by all blocks, if `with_memory`.
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

namespace sextant::npb_cg {
namespace {

// What other threads read (r, and z at the end), and what does not fit in registers.
struct Fields {
  double *x, *z, *r, *p, *q;
};

struct Run {
  std::int64_t n;
  int iterations, keep_all;  // zeta and rnorm of all iterations, or of the last alone
  double shift;
  Fields fields;
  Board board;
  double *zeta, *rnorm, *last_x;  // last_x may be null
};

// Elements from one vector to the next, which pairs of elements are read of.
inline std::int64_t vector_room(std::int64_t n) { return (n + 1) / 2 * 2; }

// What a call asks for, with five vectors from `v` on.
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

// A thread's elements: `held` in registers, or, with 0, any number in memory. each<reads, writes>(f) calls
// f(i, x, z, r, p, q) for each of them; the two say which fields f reads and which it writes.
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

// Several elements are read before the first of them is written, so that their ways overlap.
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

// A product knows:
//   first(), stride(), end()  whose elements of the vectors are the thread's
//   load(v)          its copy of p is v
//   follow(r, beta)  its copy of p becomes r + beta p
//   multiply()       A times that copy
//   wait(together)   until the thread's elements of it are there
//   gather(row)      one of them
// All but the last are called by all threads; after `load` and `follow` the block's threads have waited for
// each other.
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
    double sums[3] = {};  // of (x - A z)^2, x z, z^2
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
