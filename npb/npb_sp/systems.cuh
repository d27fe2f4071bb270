// The systems of lines that lie in shared memory, each of which is eliminated by two threads, from its ends to its middle,
// where a system of two unknowns joins them. Right sides 0 to 2 have one matrix.
#pragma once

#include "half_system.cuh"

namespace sextant::npb_sp {

// Threads that solve, one a half: those of the system of right sides 0 to 2 first, then from a warp on those of the
// others.
inline constexpr int warp_size = 32;
template <int L>
inline constexpr int of_first_system = 2 * L > warp_size ? 2 * L : warp_size;
template <int L>
inline constexpr int solvers = of_first_system<L> + 4 * L;

// The half of a line that is a lane's.
template <int L, int rights>
__device__ void solve_half(const Line& line, double* data, int lane, int system, int first_right,
                           unsigned mask) {
  const Halves<L> halves(line.n);
  const Lanes<Halves<L>::across> lanes = {mask};
  const int l = halves.line_of(lane), half = halves.half_of(lane), other = half ^ 1;
  const int apart = halves.of_slot(), count = halves.count(half);
  // What the other half's last place adds here is factors later.
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
