// SP's lines on chip: a block takes some neighbouring lines, reads all of their right sides and terms into shared memory,
// solves them there and writes the result, so that factors never cross memory. Each system of a line is eliminated by
// two threads, from both ends to the middle, where a system of two unknowns joins them; so it takes half as many
// steps. Right sides 0 to 2 have one matrix.
#pragma once

#include "lines.hpp"
#include "toolbox/cuda/npb_flow.cuh"

namespace sextant::npb_sp {

// What lines need of a point.
struct Point {
  Five right;
  double density = 1, momentum = 0, sound = 1;
};

// b = dt R(u) in x's characteristic variables, and what else lines along x need. An axis after the other, as neighbours
// of all at once would take the registers of threads that keep memory busy.
__device__ __forceinline__ Point residual_at_point(const Grid& g, double dt, const double* __restrict__ u,
                                                   const double* __restrict__ f, std::int64_t i,
                                                   std::int64_t j, std::int64_t k) {
  const std::int64_t here = g.at(i, j, k), size = g.size();
  const Scheme s(g.n);
  const Five w = load(u, size, here);
  const Derived d = derived(w);
  Five r = along_axis<0>(s, g.n, i, w, d, npb::flow::Stored{u, size, here, 1});
  asm volatile("" ::: "memory");
  r = sum(r, along_axis<1>(s, g.n, j, w, d, npb::flow::Stored{u, size, here, g.pitch}));
  asm volatile("" ::: "memory");
  r = sum(r, along_axis<2>(s, g.n, k, w, d, npb::flow::Stored{u, size, here, g.pitch * g.n}));
  const double c = sound_speed(w, d);
  return {to_characteristics(d, c, times(dt, sum(r, load(f, size, here)))), w.r, w.x, c};
}

// What is in shared memory at a place of a line: right sides, then of each system what a point adds to the next row
// and to the one before, which factors replace.
enum Slot : int { right = 0, of_systems = 5, slots = 11 };

// A line lies there in two halves, each from its end to the middle, so that both are walked through alike: "before" and
// "next" are meant from the end on. Halves are `pitch` elements apart between lines, so that neither neighbouring lines
// nor places nor a line's halves meet in a bank.
template <int L>
struct Halves {
  int inner, first;  // points of a line, and of its first half, which has one more where they are odd
  int pitch;
  __host__ __device__ explicit constexpr Halves(std::int64_t n)
      : inner(static_cast<int>(n) - 2),
        first((inner + 1) / 2),
        pitch((first - apart + 15) / 16 * 16 + apart) {}
  __host__ __device__ constexpr int count(int half) const { return half ? inner - first : first; }
  __host__ __device__ constexpr int of_half() const { return L * pitch + 1; }
  __host__ __device__ constexpr int of_slot() const { return 2 * L * pitch + 1; }
  __device__ int at(int line, int half) const { return half * of_half() + line * pitch; }
  static constexpr int apart = 16 / L;
};
template <int L>
constexpr std::size_t shared_bytes(std::int64_t n) {
  return sizeof(double) * slots * static_cast<std::size_t>(Halves<L>(n).of_slot());
}

// Threads that solve: two a line for the system of right sides 0 to 2, in the first warp, and four for the others.
inline constexpr int warp_size = 32;
template <int L>
inline constexpr int solvers = warp_size + 4 * L;

// A reciprocal by which products need one step more than the guess that it is made of.
struct Guess {
  double guess, rest;
  __device__ explicit Guess(double x) {
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(x));
    const double error = ::fma(-x, guess, 1.0);
    rest = ::fma(error, error, error);
  }
  __device__ double times(double y) const { return ::fma(y * guess, rest, y * guess); }
};

// What a point adds to the row before its own and to the next one, the fourth difference included.
struct Pair {
  double before, next;
  __device__ double diagonal(double weight) const { return weight - (before + next); }
};

// Of two neighbouring rows what is left when the rows before them are eliminated: x + [0] x' + [1] x'' = y, where x'
// and x'' are the next two unknowns.
struct RowPair {
  double first[2], second[2];
};

// One half of one system of a line. Rows are eliminated two at a time: a chain of dependent steps has one reciprocal
// for both. Each direction reads what it needs next before it works.
template <int L, int rights>
struct HalfSystem {
  double w, inside;
  double* r;      // right sides of the half's first place
  double* terms;  // of its first place, which factors replace
  int apart;      // between slots
  RowPair rows = {};
  double y[rights][2] = {};
  double weight, behind = 0;  // the diagonal's of the first of two rows, and what the place before adds to it

  __device__ HalfSystem(const Line& line, double* data, int first_right, int system, int at, int apart)
      : w(line.fourth),
        inside(1 - 2 * w),
        r(data + first_right * apart + at),
        terms(data + (of_systems + 2 * system) * apart + at),
        apart(apart),
        weight(inside - w) {}

  __device__ Pair pair(int place) const { return {terms[place], terms[apart + place]}; }
  __device__ void put(int place, const double (&row)[2]) {
    terms[place] = row[0], terms[apart + place] = row[1];
  }
  __device__ void get(int place, double (&row)[2]) const {
    row[0] = terms[place], row[1] = terms[apart + place];
  }
  __device__ void get_right(int place, double (&right)[rights][2]) const {
#pragma unroll
    for (int m = 0; m < rights; ++m)
      right[m][0] = r[m * apart + place], right[m][1] = r[m * apart + place + 1];
  }

  // The first row by itself, after one that has no unknown.
  __device__ void eliminate_first(double before_of_next) {
    const Pair here = pair(0);
    const double inverse = reciprocal(here.diagonal(weight));
    rows.second[0] = before_of_next * inverse, rows.second[1] = w * inverse;
    put(0, rows.second);
#pragma unroll
    for (int m = 0; m < rights; ++m) r[m * apart] = y[m][1] = r[m * apart] * inverse;
    behind = here.next;
    weight = inside;
    ++r, ++terms;
  }

  // Rows 0 and 1; `after` is what the place after them adds to row 1.
  __device__ void eliminate(const Pair& here, const Pair& other, double after,
                            const double (&right)[rights][2]) {
    // The two rows' own unknowns, after what is before them: a matrix of 2 x 2.
    const double a = here.diagonal(weight) - w * rows.first[0] - behind * rows.second[0];
    const double b = other.before - w * rows.first[1] - behind * rows.second[1];
    const double c = here.next - w * rows.second[0], d = other.diagonal(inside) - w * rows.second[1];
    const Guess guess(a * d - b * c);
    rows = {{guess.times(d * w - b * after), guess.times(-b * w)},
            {guess.times(a * after - c * w), guess.times(a * w)}};
    const double inverse = guess.times(1.0);
    put(0, rows.first);
    put(1, rows.second);
#pragma unroll
    for (int m = 0; m < rights; ++m) {
      const double one = right[m][0] - w * y[m][0] - behind * y[m][1], two = right[m][1] - w * y[m][1];
      r[m * apart] = y[m][0] = (d * one - b * two) * inverse;
      r[m * apart + 1] = y[m][1] = (a * two - c * one) * inverse;
    }
    behind = other.next;
    weight = inside;
    r += 2, terms += 2;
  }

  // All rows of `count`; `after` as above, of the other half's last place.
  __device__ void eliminate_all(int count, double after) {
    if (count % 2) eliminate_first(count > 1 ? terms[1] : after);
    if (count < 2) return;
    Pair here = pair(0), other = pair(1);
    double right[rights][2];
    get_right(0, right);
#pragma unroll 2
    for (int s = count / 2 - 1; s > 0; --s) {
      const Pair next = pair(2), later = pair(3);
      double right_next[rights][2];
      get_right(2, right_next);
      eliminate(here, other, next.before, right);
      here = next, other = later;
#pragma unroll
      for (int m = 0; m < rights; ++m) right[m][0] = right_next[m][0], right[m][1] = right_next[m][1];
    }
    eliminate(here, other, after, right);
  }

  // The halves' last rows: u = y - M v, v = y' - M' u, where u and v are their last two unknowns, the last one first. y
  // becomes them.
  __device__ void join(int count, int across, unsigned lanes) {
    const double m11 = rows.second[0], m12 = rows.second[1], m21 = rows.first[0], m22 = rows.first[1];
    const double o11 = __shfl_xor_sync(lanes, m11, across), o12 = __shfl_xor_sync(lanes, m12, across),
                 o21 = __shfl_xor_sync(lanes, m21, across), o22 = __shfl_xor_sync(lanes, m22, across);
    const double k11 = 1 - m11 * o11 - m12 * o21, k12 = -m11 * o12 - m12 * o22;
    const double k21 = -m21 * o11 - m22 * o21, k22 = 1 - m21 * o12 - m22 * o22;
    const double inverse = reciprocal(k11 * k22 - k12 * k21);
#pragma unroll
    for (int m = 0; m < rights; ++m) {
      const double last = __shfl_xor_sync(lanes, y[m][1], across),
                   next = __shfl_xor_sync(lanes, y[m][0], across);
      const double one = y[m][1] - m11 * last - m12 * next, two = y[m][0] - m21 * last - m22 * next;
      r[m * apart - 1] = y[m][1] = (k22 * one - k12 * two) * inverse;
      y[m][0] = (k11 * two - k21 * one) * inverse;
      if (count > 1) r[m * apart - 2] = y[m][0];
    }
  }

  // The unknowns of the two rows before r.
  __device__ void substitute(const RowPair& of, const double (&right)[rights][2]) {
    r -= 2, terms -= 2;
#pragma unroll
    for (int m = 0; m < rights; ++m) {
      const double one = right[m][0] - of.first[0] * y[m][0] - of.first[1] * y[m][1];
      const double two = right[m][1] - of.second[0] * y[m][0] - of.second[1] * y[m][1];
      r[m * apart] = y[m][0] = one, r[m * apart + 1] = y[m][1] = two;
    }
  }
  __device__ void get_before(RowPair& of, double (&right)[rights][2], int place) const {
    get(place, of.first);
    get(place + 1, of.second);
    get_right(place, right);
  }
  __device__ void substitute_all(int count) {
    if (count < 2) return;
    r -= 2, terms -= 2;
    if (count > 3) {
      RowPair of, later;
      double right[rights][2], right_later[rights][2];
      get_before(of, right, -2);
#pragma unroll 2
      for (int s = count / 2 - 2; s > 0; --s) {
        get_before(later, right_later, -4);
        substitute(of, right);
        of = later;
#pragma unroll
        for (int m = 0; m < rights; ++m) right[m][0] = right_later[m][0], right[m][1] = right_later[m][1];
      }
      substitute(of, right);
    }
    if (count % 2 == 0) return;
    double row[2];
    get(-1, row);
#pragma unroll
    for (int m = 0; m < rights; ++m)
      r[m * apart - 1] = r[m * apart - 1] - row[0] * y[m][0] - row[1] * y[m][1];
  }
};

// Lines' halves are `across` lanes apart.
template <int L, int rights>
__device__ void solve_half(const Line& line, double* data, int l, int half, int system, int first_right,
                           unsigned lanes) {
  const Halves<L> halves(line.n);
  const int apart = halves.of_slot(), count = halves.count(half);
  HalfSystem<L, rights> part(line, data, first_right, system, halves.at(l, half), apart);
  // What the other half's last place adds here is factors later.
  const double after =
      data[(of_systems + 2 * system + 1) * apart + halves.at(l, 1 - half) + halves.count(1 - half) - 1];
  __syncwarp(lanes);
  part.eliminate_all(count, after);
  part.join(count, L, lanes);
  part.substitute_all(count);
}

constexpr unsigned first_lanes(int count) { return count >= warp_size ? 0xFFFFFFFFu : (1u << count) - 1; }

template <int L>
__device__ void solve_systems(const Line& line, double* data) {
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < warp_size) {
    if (thread < 2 * L) solve_half<L, 3>(line, data, thread % L, thread / L, 0, 0, first_lanes(2 * L));
  } else if (thread < solvers<L>) {
    const int mine = thread - warp_size, system = 1 + mine / (2 * L);
    solve_half<L, 1>(line, data, mine % L, mine / L % 2, system, 2 + system, first_lanes(4 * L));
  }
}

// Blocks that begin together would read together, and leave memory idle while all of them solve: those of the first
// turn begin at times that are spread.
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

inline constexpr int most_threads = 512;  // of a block

// Places of a thread that it reads together, before it uses the first, of the right sides and of the new state.
inline constexpr int together = 2, changed_together = 5;

template <int axis>
__device__ inline Point point_at(std::int64_t size, std::int64_t at, const double* sound, const double* u,
                                 const double* b) {
  return {load(b, size, at), u[at], u[(1 + axis) * size + at], sound[at]};
}

// A point's right sides and terms to shared memory; those of the second half are seen from the other end.
template <int axis>
__device__ inline void put_point(const Line& line, const Point& point, int half, int apart, double* to) {
  const double inverse = reciprocal(point.density);
  const Terms terms = terms_of<axis>(line, inverse, point.momentum * inverse, point.sound);
  const Five here = axis == 0 ? point.right : axis == 1 ? x_to_y(point.right) : y_to_z(point.right);
  to[0] = here.r;
  to[apart] = here.x;
  to[2 * apart] = here.y;
  to[3 * apart] = here.z;
  to[4 * apart] = here.e;
  const double outwards = half ? -1.0 : 1.0, spread = terms.spread + 4 * line.fourth;
#pragma unroll
  for (int system = 0; system < 3; ++system) {
    const double sign = system == 0 ? 0 : system == 1 ? 1 : -1;
    const double along = outwards * (terms.along + sign * terms.sound);
    to[(of_systems + 2 * system) * apart] = along - spread;
    to[(of_systems + 2 * system + 1) * apart] = -along - spread;
  }
}

// Lines along `axis`, L neighbouring ones a block: blockIdx.x counts these, blockIdx.y planes. Those along x compute
// their right sides and leave the speed of sound; those along z write the new state.
template <int axis, int L>
__global__ void __launch_bounds__(most_threads)
    solve_lines(Grid g, Line line, FirstTurn turn, double dt, const double* __restrict__ f,
                double* __restrict__ sound, double* __restrict__ u, double* __restrict__ b) {
  extern __shared__ double data[];
  wait_for_turn(turn);
  const Halves<L> halves(g.n);
  const int inner = halves.inner, apart = halves.of_slot();
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
  const auto half_of = [&](int q) { return q >= halves.first ? 1 : 0; };
  const auto spot = [&](int q) { return data + halves.at(l, half_of(q)) + (half_of(q) ? inner - 1 - q : q); };
  if constexpr (axis == 0) {
    for (int q = q0; q < inner; q += across) {
      Point point = {};
      if (is_line) {
        point = residual_at_point(g, dt, u, f, q + 1, first, other);
        sound[start + q] = point.sound;
      }
      put_point<axis>(line, point, half_of(q), apart, spot(q));
    }
  } else {
    for (int q = q0; q < inner; q += together * across) {
      Point points[together] = {};
#pragma unroll
      for (int t = 0; t < together; ++t)
        if (const int p = q + t * across; is_line && p < inner)
          points[t] = point_at<axis>(size, start + p * step, sound, u, b);
#pragma unroll
      for (int t = 0; t < together; ++t)
        if (const int p = q + t * across; p < inner)
          put_point<axis>(line, points[t], half_of(p), apart, spot(p));
    }
  }
  // What the new state is made of is on its way to the cache while lines are solved.
  if (axis == 2 && is_line && thread % 4 == 0)
    for (int q = q0; q < inner; q += across)
      for (int m : {1, 2, 4}) fetch_ahead(u + m * size + start + q * step);
  __syncthreads();
  solve_systems<L>(line, data);
  __syncthreads();
  if (!is_line) return;
  const auto result = [&](int q) {
    const double* const from = spot(q);
    return Five{from[0], from[apart], from[2 * apart], from[3 * apart], from[4 * apart]};
  };
  if constexpr (axis == 2) {
    for (int q = q0; q < inner; q += changed_together * across) {
      Five states[changed_together];
      double speeds[changed_together];
#pragma unroll
      for (int t = 0; t < changed_together; ++t)
        if (const int p = q + t * across; p < inner) {
          states[t] = load(u, size, start + p * step);
          speeds[t] = sound[start + p * step];
        }
#pragma unroll
      for (int t = 0; t < changed_together; ++t)
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
