// SP's lines on chip: a block takes some neighbouring lines, reads all of their right sides and terms into shared memory,
// solves them there and writes the result, so that factors never cross memory. Each system of a line is eliminated by
// two threads, from both ends to the middle, where a system of two unknowns joins them; so it takes half as many
// steps. Right sides 0 to 2 have one matrix.
#pragma once

#include "lines.hpp"
#include "toolbox/cuda/npb_flow.cuh"

namespace sextant::npb_sp {

// b = dt R(u) in x's characteristic variables, and the speed of sound. An axis after the other, as neighbours of all at
// once would take the registers of threads that keep memory busy.
template <int threads, int blocks>
__global__ void __launch_bounds__(threads, blocks)
    residual(Grid g, double dt, const double* __restrict__ u, const double* __restrict__ f,
             double* __restrict__ b, double* __restrict__ sound) {
  const Place at = place_of_thread();
  const std::int64_t i = at.i + 1, j = at.j + 1, k = at.k + 1, here = g.at(i, j, k), size = g.size();
  if (i > g.n - 2 || j > g.n - 2) return;
  const Scheme s(g.n);
  const Five w = load(u, size, here);
  const Derived d = derived(w);
  Five r = along_axis<0>(s, g.n, i, w, d, npb::flow::Stored{u, size, here, 1});
  asm volatile("" ::: "memory");
  r = sum(r, along_axis<1>(s, g.n, j, w, d, npb::flow::Stored{u, size, here, g.pitch}));
  asm volatile("" ::: "memory");
  r = sum(r, along_axis<2>(s, g.n, k, w, d, npb::flow::Stored{u, size, here, g.pitch * g.n}));
  const double c = sound_speed(w, d);
  store(b, size, here, to_characteristics(d, c, times(dt, sum(r, load(f, size, here)))));
  sound[here] = c;
}

// What is in shared memory at a place of a line: right sides, then of each system what a point adds to the next row
// and to the one before, which factors replace.
enum Slot : int { right = 0, of_systems = 5, slots = 11 };

// Elements between lines, so that neither neighbouring lines nor neighbouring places meet in a bank.
template <int L>
__host__ __device__ constexpr int line_pitch(int inner) {
  constexpr int apart = 16 / L;
  return (inner - apart + 15) / 16 * 16 + apart;
}
template <int L>
constexpr std::size_t shared_bytes(std::int64_t n) {
  return sizeof(double) * slots * L * static_cast<std::size_t>(line_pitch<L>(static_cast<int>(n - 2)));
}

// Threads that solve: two a line for the matrix of right sides 0 to 2, four for the others, in other warps.
template <int L>
inline constexpr int first_single = 2 * L > 32 ? 2 * L : 32;
template <int L>
inline constexpr int solvers = first_single<L> + 4 * L;

// What a point adds to the row on its one side and to that on its other, the fourth difference included.
struct Pair {
  double behind, ahead;
  __device__ double diagonal(double weight) const { return weight - (behind + ahead); }
};

// One half of one system of a line, s counting places from the line's end; `rights` right sides. In shared memory the
// points' terms become factors; what comes next is read a step ahead.
template <int L, int rights>
__device__ void solve_half(const Line& line, double* data, int pitch, int l, int system, int half,
                           unsigned lanes) {
  const int inner = static_cast<int>(line.n) - 2, top = (inner + 1) / 2, count = half ? inner - top : top;
  const int step = half ? -1 : 1, stride = L * pitch;  // between places, between slots
  double* r = data + (rights == 3 ? 0 : 2 + system) * stride + l * pitch + (half ? inner - 1 : 0);
  double* const terms = data + (of_systems + 2 * system) * stride + l * pitch + (half ? inner - 1 : 0);
  double *behind = terms + (half ? stride : 0), *ahead = terms + (half ? 0 : stride);
  // The other half's first place loses its terms to factors.
  const Pair edge = {behind[step * count], ahead[step * count]};
  __syncwarp(lanes);
  const double w = line.fourth, inside = 1 - 2 * w;
  Row one = {0, 0}, two = {0, 0};
  double y1[rights] = {}, y2[rights] = {}, right_here[rights];
  Pair before = {0, 0}, here = {behind[0], ahead[0]},
       next = count > 1 ? Pair{behind[step], ahead[step]} : edge;
#pragma unroll
  for (int m = 0; m < rights; ++m) right_here[m] = r[m * stride];
  for (int s = 0; s < count; ++s) {
    const Pair later = s + 2 < count ? Pair{behind[2 * step], ahead[2 * step]} : edge;
    double right_next[rights];
#pragma unroll
    for (int m = 0; m < rights; ++m) right_next[m] = s + 1 < count ? r[m * stride + step] : 0.0;
    const double below = s < 2 ? 0.0 : w, above = s + 3 > inner ? 0.0 : w;
    const double first = before.behind - below * two.next;
    const double inverse =
        reciprocal(here.diagonal(s == 0 ? inside - w : inside) - below * two.second - first * one.next);
    const Row row = {(next.ahead - first * one.second) * inverse, above * inverse};
    behind[0] = row.next;
    ahead[0] = row.second;
#pragma unroll
    for (int m = 0; m < rights; ++m) {
      const double y = (right_here[m] - below * y2[m] - first * y1[m]) * inverse;
      r[m * stride] = y;
      y2[m] = y1[m], y1[m] = y;
      right_here[m] = right_next[m];
    }
    two = one, one = row;
    before = here, here = next, next = later;
    behind += step, ahead += step, r += step;
  }
  // The halves' last rows: x + next x' + second x'' = y, where x' and x'' are the other half's last two.
  const double next1 = __shfl_xor_sync(lanes, one.next, L), second1 = __shfl_xor_sync(lanes, one.second, L);
  const double next2 = __shfl_xor_sync(lanes, two.next, L), second2 = __shfl_xor_sync(lanes, two.second, L);
  const double a11 = 1 - one.second * second2, a12 = one.next - one.second * next2;
  const double a22 = 1 - second1 * two.second, a21 = next1 - second1 * two.next;
  const double inverse = reciprocal(a11 * a22 - a12 * a21);
  double x1[rights], x2[rights];
  behind -= step, ahead -= step, r -= step;  // at the last place
#pragma unroll
  for (int m = 0; m < rights; ++m) {
    const double other1 = __shfl_xor_sync(lanes, y1[m], L), other2 = __shfl_xor_sync(lanes, y2[m], L);
    const double mine = y1[m] - one.second * other2, others = other1 - second1 * y2[m];
    x1[m] = (mine * a22 - a12 * others) * inverse;
    x2[m] = (a11 * others - a21 * mine) * inverse;
    if (count > 0) r[m * stride] = x1[m];
  }
  Pair factors = {};
  if (count > 1) {
    factors = {behind[-step], ahead[-step]};
#pragma unroll
    for (int m = 0; m < rights; ++m) right_here[m] = r[m * stride - step];
  }
  for (int s = count - 2; s >= 0; --s) {
    behind -= step, ahead -= step, r -= step;
    Pair later = {};
    double right_next[rights] = {};
    if (s > 0) {
      later = {behind[-step], ahead[-step]};
#pragma unroll
      for (int m = 0; m < rights; ++m) right_next[m] = r[m * stride - step];
    }
#pragma unroll
    for (int m = 0; m < rights; ++m) {
      const double x = right_here[m] - factors.ahead * x2[m] - factors.behind * x1[m];
      r[m * stride] = x;
      x2[m] = x1[m], x1[m] = x;
      right_here[m] = right_next[m];
    }
    factors = later;
  }
}

template <int L>
__device__ void solve_systems(const Line& line, double* data, int pitch) {
  const int thread = static_cast<int>(threadIdx.x);
  constexpr unsigned all = 0xFFFFFFFFu;
  if (thread < 2 * L) {
    solve_half<L, 3>(line, data, pitch, thread % L, 0, thread / L,
                     2 * L >= 32 ? all : (1u << (2 * L % 32)) - 1);
  } else if (thread >= first_single<L> && thread < solvers<L>) {
    const int mine = thread - first_single<L>;
    solve_half<L, 1>(line, data, pitch, mine % L, 1 + mine / (2 * L), mine / L % 2,
                     4 * L >= 32 ? all : (1u << (4 * L % 32)) - 1);
  }
}

// Lines along `axis`, L neighbouring ones a block: blockIdx.x counts these, blockIdx.y planes. Along x b is in the right
// variables already; those along z write the new state.
template <int axis, int L>
__global__ void solve_lines(Grid g, Line line, const double* __restrict__ sound, double* __restrict__ u,
                            double* __restrict__ b) {
  extern __shared__ double data[];
  const int inner = static_cast<int>(g.n) - 2, pitch = line_pitch<L>(inner), stride = L * pitch;
  const int thread = static_cast<int>(threadIdx.x), across = static_cast<int>(blockDim.x) / L;
  // Neighbouring threads take neighbouring x.
  const int l = axis == 0 ? thread / across : thread % L, q0 = axis == 0 ? thread % across : thread / L;
  const std::int64_t first = 1 + static_cast<std::int64_t>(blockIdx.x) * L + l, other = blockIdx.y + 1;
  const bool is_line = first < g.n - 1;
  const std::int64_t size = g.size();
  const std::int64_t start = axis == 0   ? g.at(1, first, other)
                             : axis == 1 ? g.at(first, 1, other)
                                         : g.at(first, other, 1);
  const std::int64_t step = axis == 0 ? 1 : axis == 1 ? g.pitch : g.pitch * g.n;
#pragma unroll 2
  for (int q = q0; q < inner; q += across) {
    const std::int64_t at = start + q * step;
    // What the new state is made of is on its way to the cache while lines are solved.
    if (axis == 2 && is_line && thread % 4 == 0)
      for (int m : {1, 2, 4}) fetch_ahead(u + m * size + at);
    double* const to = data + l * pitch + q;
    const Five r = is_line ? load(b, size, at) : Five{};
    const double density = is_line ? u[at] : 1.0, momentum = is_line ? u[(1 + axis) * size + at] : 0.0,
                 c = is_line ? sound[at] : 1.0;
    const double inverse = reciprocal(density);
    const Terms terms = terms_of<axis>(line, inverse, momentum * inverse, c);
    const Five here = axis == 0 ? r : axis == 1 ? x_to_y(r) : y_to_z(r);
    to[0] = here.r;
    to[stride] = here.x;
    to[2 * stride] = here.y;
    to[3 * stride] = here.z;
    to[4 * stride] = here.e;
#pragma unroll
    for (int system = 0; system < 3; ++system) {
      const double sign = system == 0 ? 0 : system == 1 ? 1 : -1;
      const double along = terms.along + sign * terms.sound, spread = terms.spread + 4 * line.fourth;
      to[(of_systems + 2 * system) * stride] = -along - spread;
      to[(of_systems + 2 * system + 1) * stride] = along - spread;
    }
  }
  __syncthreads();
  solve_systems<L>(line, data, pitch);
  __syncthreads();
  if (!is_line) return;
#pragma unroll 2
  for (int q = q0; q < inner; q += across) {
    const std::int64_t at = start + q * step;
    const double* const from = data + l * pitch + q;
    const Five r = {from[0], from[stride], from[2 * stride], from[3 * stride], from[4 * stride]};
    if constexpr (axis == 2) {
      const Five w = load(u, size, at);
      store(u, size, at, sum(w, to_conserved(w, derived(w), sound[at], r)));
    } else {
      store(b, size, at, r);
    }
  }
}

}  // namespace sextant::npb_sp
