// Solves NAS SP's lines in shared memory. A thread block loads the right-hand sides and coefficients of
// several adjacent lines, solves them and stores the result. Factors are never stored in global memory. This
// file uses two threads per system.
#pragma once

#include "half_system.cuh"
#include "toolbox/cuda/npb_flow.cuh"

// Two threads eliminate each system in shared memory, from both ends to its middle. There a system of two
// unknowns joins the halves. Right-hand sides 0 to 2 have the same matrix.
namespace sextant::npb_sp {

// Numbers of the threads that solve, one per half of a system. The threads for right-hand sides 0 to 2 come
// first. Those for the other systems start at a new warp.
inline constexpr int warp_size = 32;
template <int L>
inline constexpr int of_first_system = 2 * L > warp_size ? 2 * L : warp_size;
template <int L>
inline constexpr int solvers = of_first_system<L> + 4 * L;

// Solves this lane's half of a line.
template <int L, int rights>
__device__ void solve_half(const Line& line, double* data, int lane, int system, int first_right,
                           unsigned mask) {
  const Halves<L> halves(line.n);
  const Lanes<Halves<L>::across> lanes = {mask};
  const int l = halves.line_of(lane), half = halves.half_of(lane), other = half ^ 1;
  const int apart = halves.of_slot(), count = halves.count(half);
  // The other half's coefficient must be read now, because factors will overwrite it.
  const double after =
      data[(of_systems + 2 * system + 1) * apart + halves.at(l, other) + halves.count(other) - 1];
  __syncwarp(mask);
  HalfSystem<rights> part(line, data, first_right, system, halves.at(l, half), apart);
  part.eliminate_all(count, after);
  part.join(count, lanes);
  part.substitute_all(count);
}

constexpr unsigned first_lanes(int count) { return count >= warp_size ? 0xFFFFFFFFu : (1u << count) - 1; }

template <int L>
__device__ void solve_systems(const Line& line, double* data) {
  constexpr int of_system = 2 * L;
  const int thread = static_cast<int>(threadIdx.x), mine = thread - of_first_system<L>;
  if (mine < 0) {
    if (thread < of_system) solve_half<L, 3>(line, data, thread, 0, 0, first_lanes(of_system));
  } else if (mine < 2 * of_system) {
    const int system = 1 + mine / of_system;
    solve_half<L, 1>(line, data, mine % of_system, system, 2 + system, first_lanes(2 * of_system));
  }
}

}  // namespace sextant::npb_sp

namespace sextant::npb_sp {

// Values of a point that the systems of its lines need.
struct Point {
  Five right;
  double density = 1, momentum = 0, sound = 1;
};

// Computes b = dt * (f + S(u)) in the characteristic variables of x, and the other values that lines along x
// need. Processes one axis after another, because loading all neighbours at once would need too many
// registers and reduce occupancy.
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

// Computes b = dt * (f + S(u)) in the characteristic variables of x, and the speed of sound. Used if the
// kernel for lines along x does not compute them. Thread blocks process slabs of rows plane by plane, so that
// a point's adjacent planes are still in the cache.
inline constexpr int slab_blocks = 16;
__global__ static void __launch_bounds__(128, 4)
    residual(Grid g, double dt, const double* __restrict__ u, const double* __restrict__ f,
             double* __restrict__ b, double* __restrict__ sound) {
  const unsigned planes = gridDim.z, number = blockIdx.y + gridDim.y * blockIdx.z;
  const unsigned slab = number / (slab_blocks * planes), rest = number % (slab_blocks * planes),
                 width = min(slab_blocks, gridDim.y - slab * slab_blocks);
  const std::int64_t i = blockIdx.x * blockDim.x + threadIdx.x + 1,
                     j = (slab * slab_blocks + rest % width) * blockDim.y + threadIdx.y + 1,
                     k = rest / width + 1;
  if (i > g.n - 2 || j > g.n - 2) return;
  const Point point = residual_at_point(g, dt, u, f, i, j, k);
  store(b, g.size(), g.at(i, j, k), point.right);
  sound[g.at(i, j, k)] = point.sound;
}

// Delays the first thread blocks by different times. Blocks that start together would all load at the same
// time, and memory would be idle while they solve.
struct FirstTurn {
  unsigned blocks;  // number of thread blocks that are resident at once
  int spread;       // maximum delay in units of 1024 clock cycles
};
__device__ inline void wait_for_turn(const FirstTurn& turn) {
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  if (turn.spread == 0 || block >= turn.blocks) return;
  const long long begin = clock64();
  const long long cycles = static_cast<long long>(turn.spread) *
                           (block * 2654435769U >> 22);  // adjacent blocks get very different delays
  while (clock64() - begin < cycles) __nanosleep(100);
}

inline constexpr int most_threads = 512;  // maximum threads per block

// Number of points whose data a thread loads before it uses the first: `together` for right-hand sides,
// `changed_together` for the new state.
inline constexpr int together = 2, changed_together = 5;

template <int axis>
__device__ inline Point point_at(std::int64_t size, std::int64_t at, const double* sound, const double* u,
                                 const double* b) {
  return {load(b, size, at), u[at], u[(1 + axis) * size + at], sound[at]};
}

// Stores a point's right-hand sides in shared memory at a distance of `apart` elements. Returns the point's
// terms.
template <int axis>
__device__ __forceinline__ Terms put_rights(const Line& line, const Point& point, int apart, double* to) {
  const double inverse = reciprocal(point.density);
  const Terms terms = terms_of<axis>(line, inverse, point.momentum * inverse, point.sound);
  const Five here = axis == 0 ? point.right : axis == 1 ? x_to_y(point.right) : y_to_z(point.right);
  to[0] = here.r;
  to[apart] = here.x;
  to[2 * apart] = here.y;
  to[3 * apart] = here.z;
  to[4 * apart] = here.e;
  return terms;
}

// Stores a point's right-hand sides and coefficients in shared memory. `turned` is true for the second half
// of a line, which is stored in reverse order.
template <int axis>
__device__ inline void put_point(const Line& line, const Point& point, bool turned, int apart, double* to) {
  const Terms terms = put_rights<axis>(line, point, apart, to);
  const double outwards = turned ? -1.0 : 1.0, spread = terms.spread + 4 * line.fourth;
#pragma unroll
  for (int system = 0; system < 3; ++system) {
    const double sign = system == 0 ? 0 : system == 1 ? 1 : -1;
    const double along = outwards * (terms.along + sign * terms.sound);
    to[(of_systems + 2 * system) * apart] = along - spread;
    to[(of_systems + 2 * system + 1) * apart] = -along - spread;
  }
}

// The L adjacent lines along `axis` that a thread block solves. blockIdx.x is the group of L lines,
// blockIdx.y the plane. A thread processes points q0, q0 + across, … of line l. Adjacent threads have
// adjacent x.
template <int axis, int L>
struct LinesOfBlock {
  int inner, across, l, q0;
  std::int64_t size, first, other, start,
      // Distance between components; the line's two indices; offset of its first row; distance between rows.
      step;
  bool is_line;

  __device__ explicit LinesOfBlock(const Grid& g)
      : inner(static_cast<int>(g.n) - 2),
        across(static_cast<int>(blockDim.x) / L),
        l(static_cast<int>(threadIdx.x) / (axis == 0 ? across : 1) % L),
        q0(axis == 0 ? static_cast<int>(threadIdx.x) % across : static_cast<int>(threadIdx.x) / L),
        size(g.size()),
        first(1 + static_cast<std::int64_t>(blockIdx.x) * L + l),
        other(blockIdx.y + 1),
        start(axis == 0   ? g.at(1, first, other)
              : axis == 1 ? g.at(first, 1, other)
                          : g.at(first, other, 1)),
        step(g.step<axis>()),
        is_line(first < g.n - 1) {}

  // Calls put(row, point) for all points, including those of lines that do not exist.
  template <typename Put>
  __device__ __forceinline__ void read(const double* sound, const double* u, const double* b,
                                       const Put& put) const {
    for (int q = q0; q < inner; q += together * across) {
      Point points[together] = {};
#pragma unroll
      for (int t = 0; t < together; ++t)
        if (const int p = q + t * across; is_line && p < inner)
          points[t] = point_at<axis>(size, start + p * step, sound, u, b);
#pragma unroll
      for (int t = 0; t < together; ++t)
        if (const int p = q + t * across; p < inner) put(p, points[t]);
    }
  }
  // Prefetches the flow states that will be updated, while lines are being solved.
  __device__ __forceinline__ void fetch_states(const double* u) const {
    if constexpr (axis == 2)
      if (is_line && threadIdx.x % 4 == 0)
        for (int q = q0; q < inner; q += across)
          for (int m : {1, 2, 4}) fetch_ahead(u + m * size + start + q * step);
  }
  // Stores result(row) for all points. Lines along z update the flow state instead.
  template <typename Result>
  __device__ __forceinline__ void write(const double* sound, double* u, double* b,
                                        const Result& result) const {
    if (!is_line) return;
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
};

// Returns five right-hand sides at a distance of `apart` elements.
__device__ __forceinline__ Five rights_at(const double* from, int apart) {
  return {from[0], from[apart], from[2 * apart], from[3 * apart], from[4 * apart]};
}

// Solves lines along `axis` with two threads per system. Lines along x also compute their right-hand sides
// and store the speed of sound.
template <int axis, int L>
__global__ void __launch_bounds__(most_threads)
    solve_halves(Grid g, Line line, FirstTurn turn, double dt, const double* __restrict__ f,
                 double* __restrict__ sound, double* __restrict__ u, double* __restrict__ b) {
  extern __shared__ double data[];
  wait_for_turn(turn);
  const Halves<L> halves(g.n);
  const LinesOfBlock<axis, L> lines(g);
  const int apart = halves.of_slot();
  const auto put = [&](int q, const Point& point) {
    const Spot spot = halves.spot(lines.l, q);
    put_point<axis>(line, point, spot.turned, apart, data + spot.place);
  };
  if constexpr (axis == 0) {
    for (int q = lines.q0; q < lines.inner; q += lines.across) {
      Point point = {};
      if (lines.is_line) {
        point = residual_at_point(g, dt, u, f, q + 1, lines.first, lines.other);
        sound[lines.start + q] = point.sound;
      }
      put(q, point);
    }
  } else {
    lines.read(sound, u, b, put);
  }
  lines.fetch_states(u);
  __syncthreads();
  solve_systems<L>(line, data);
  __syncthreads();
  lines.write(sound, u, b, [&](int q) { return rights_at(data + halves.spot(lines.l, q).place, apart); });
}

}  // namespace sextant::npb_sp
