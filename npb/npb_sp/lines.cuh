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

// Threads that solve: a warp for the matrix of right sides 0 to 2, four a line for the others, in other warps. In the first, both halves of
// a line have as many threads as there are; all eliminate alike, and share the right sides.
inline constexpr int first_rights = 3, warp_size = 32;
template <int L>
inline constexpr int sharing = warp_size / (2 * L) < first_rights ? warp_size / (2 * L) : first_rights;
template <int L>
inline constexpr int rights_a_thread = (first_rights + sharing<L> - 1) / sharing<L>;
template <int L>
inline constexpr int first_single = warp_size;
template <int L>
inline constexpr int solvers = first_single<L> + 4 * L;

// What a point adds to the row on its one side and to that on its other, the fourth difference included.
struct Pair {
  double behind, ahead;
  __device__ double diagonal(double weight) const { return weight - (behind + ahead); }
};

// One half of one system of a line, s counting places from the line's end, for some of its right sides. In shared memory the
// points' terms become factors, which the first of the threads that share a half writes; what comes next is read a step ahead.
struct Half {
  int line, system, half;
  int first_right, rights;  // from a slot on; of what a thread takes beyond them it takes the last one again
  bool writes;              // the factors
};
template <int L, int rights, bool shared>
__device__ void solve_half(const Line& line, double* data, int pitch, const Half& part, unsigned lanes) {
  const int l = part.line, half = part.half;
  const int inner = static_cast<int>(line.n) - 2, top = (inner + 1) / 2, count = half ? inner - top : top;
  const int step = half ? -1 : 1, stride = L * pitch;  // between places, between slots
  double* r = data + part.first_right * stride + l * pitch + (half ? inner - 1 : 0);
  const int apart = part.rights < rights ? 0 : stride;  // between right sides
  double* const terms = data + (of_systems + 2 * part.system) * stride + l * pitch + (half ? inner - 1 : 0);
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
  for (int m = 0; m < rights; ++m) right_here[m] = r[m * apart];
  for (int s = 0; s < count; ++s) {
    const Pair later = s + 2 < count ? Pair{behind[2 * step], ahead[2 * step]} : edge;
    double right_next[rights];
#pragma unroll
    for (int m = 0; m < rights; ++m) right_next[m] = s + 1 < count ? r[m * apart + step] : 0.0;
    const double below = s < 2 ? 0.0 : w, above = s + 3 > inner ? 0.0 : w;
    const double first = before.behind - below * two.next;
    const double inverse =
        reciprocal(here.diagonal(s == 0 ? inside - w : inside) - below * two.second - first * one.next);
    const Row row = {(next.ahead - first * one.second) * inverse, above * inverse};
    if (!shared || part.writes) {
      behind[0] = row.next;
      ahead[0] = row.second;
    }
#pragma unroll
    for (int m = 0; m < rights; ++m) {
      const double y = (right_here[m] - below * y2[m] - first * y1[m]) * inverse;
      r[m * apart] = y;
      y2[m] = y1[m], y1[m] = y;
      right_here[m] = right_next[m];
    }
    two = one, one = row;
    before = here, here = next, next = later;
    behind += step, ahead += step, r += step;
    if (shared && s < inner - top) __syncwarp(lanes);  // nobody reads what was a term
  }
  if (shared) __syncwarp(lanes);
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
    if (count > 0) r[m * apart] = x1[m];
  }
  Pair factors = {};
  if (count > 1) {
    factors = {behind[-step], ahead[-step]};
#pragma unroll
    for (int m = 0; m < rights; ++m) right_here[m] = r[m * apart - step];
  }
  for (int s = count - 2; s >= 0; --s) {
    behind -= step, ahead -= step, r -= step;
    Pair later = {};
    double right_next[rights] = {};
    if (s > 0) {
      later = {behind[-step], ahead[-step]};
#pragma unroll
      for (int m = 0; m < rights; ++m) right_next[m] = r[m * apart - step];
    }
#pragma unroll
    for (int m = 0; m < rights; ++m) {
      const double x = right_here[m] - factors.ahead * x2[m] - factors.behind * x1[m];
      r[m * apart] = x;
      x2[m] = x1[m], x1[m] = x;
      right_here[m] = right_next[m];
    }
    factors = later;
  }
}

constexpr unsigned first_lanes(int count) { return count >= warp_size ? 0xFFFFFFFFu : (1u << count) - 1; }

template <int L>
__device__ void solve_systems(const Line& line, double* data, int pitch) {
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < 2 * L * sharing<L>) {
    constexpr int rights = rights_a_thread<L>;
    const int first = thread / (2 * L) * rights, left = first_rights - first;
    solve_half<L, rights, (sharing<L> > 1)>(
        line, data, pitch, {thread % L, 0, thread / L % 2, first, left < rights ? left : rights, first == 0},
        first_lanes(2 * L * sharing<L>));
  } else if (thread >= first_single<L> && thread < solvers<L>) {
    const int mine = thread - first_single<L>, system = 1 + mine / (2 * L);
    solve_half<L, 1, false>(line, data, pitch, {mine % L, system, mine / L % 2, 2 + system, 1, true},
                            first_lanes(4 * L));
  }
}

// Blocks that begin together would read together, and leave memory idle while all of them solve: those of the first turn begin
// at times that are spread.
struct FirstTurn {
  unsigned blocks;  // that the GPU has room for
  int spread;       // Ki cycles
};
__device__ inline void wait_for_turn(const FirstTurn& turn) {
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  if (turn.spread == 0 || block >= turn.blocks) return;
  const long long begin = clock64();
  const long long cycles =
      static_cast<long long>(turn.spread) * (block * 2654435769U >> 22);  // neighbours far apart
  while (clock64() - begin < cycles) __nanosleep(100);
}

// Places of a thread that it reads together, before it uses the first.
inline constexpr int together = 5;

// What lines need of a point.
struct Point {
  Five right;
  double density, momentum, sound;
};
template <int axis>
__device__ inline Point point_at(std::int64_t size, std::int64_t at, const double* sound, const double* u,
                                 const double* b) {
  return {load(b, size, at), u[at], u[(1 + axis) * size + at], sound[at]};
}

// A point's right sides and terms to shared memory.
template <int axis>
__device__ inline void put_point(const Line& line, const Point& point, int stride, double* to) {
  const double inverse = reciprocal(point.density);
  const Terms terms = terms_of<axis>(line, inverse, point.momentum * inverse, point.sound);
  const Five here = axis == 0 ? point.right : axis == 1 ? x_to_y(point.right) : y_to_z(point.right);
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

// Lines along `axis`, L neighbouring ones a block: blockIdx.x counts these, blockIdx.y planes. Along x b is in the right
// variables already; those along z write the new state.
template <int axis, int L>
__global__ void solve_lines(Grid g, Line line, FirstTurn turn, const double* __restrict__ sound,
                            double* __restrict__ u, double* __restrict__ b) {
  extern __shared__ double data[];
  wait_for_turn(turn);
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
  double* const mine = data + l * pitch;
  for (int q = q0; q < inner; q += together * across) {
    Point points[together];
#pragma unroll
    for (int t = 0; t < together; ++t) {
      const int p = q + t * across;
      points[t] = is_line && p < inner ? point_at<axis>(size, start + p * step, sound, u, b)
                                       : Point{{}, 1.0, 0.0, 1.0};
    }
#pragma unroll
    for (int t = 0; t < together; ++t)
      if (const int p = q + t * across; p < inner) put_point<axis>(line, points[t], stride, mine + p);
  }
  // What the new state is made of is on its way to the cache while lines are solved.
  if (axis == 2 && is_line && thread % 4 == 0)
    for (int q = q0; q < inner; q += across)
      for (int m : {1, 2, 4}) fetch_ahead(u + m * size + start + q * step);
  __syncthreads();
  solve_systems<L>(line, data, pitch);
  __syncthreads();
  if (!is_line) return;
  const auto result = [&](int q) {
    const double* const from = mine + q;
    return Five{from[0], from[stride], from[2 * stride], from[3 * stride], from[4 * stride]};
  };
  if constexpr (axis == 2) {
    for (int q = q0; q < inner; q += together * across) {
      Five states[together];
      double speeds[together];
#pragma unroll
      for (int t = 0; t < together; ++t)
        if (const int p = q + t * across; p < inner) {
          states[t] = load(u, size, start + p * step);
          speeds[t] = sound[start + p * step];
        }
#pragma unroll
      for (int t = 0; t < together; ++t)
        if (const int p = q + t * across; p < inner) {
          const Five& w = states[t];
          store(u, size, start + p * step, sum(w, to_conserved(w, derived(w), speeds[t], result(p))));
        }
    }
  } else {
#pragma unroll 2
    for (int q = q0; q < inner; q += across) store(b, size, start + q * step, result(q));
  }
}

}  // namespace sextant::npb_sp
