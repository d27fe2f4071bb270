// The heat stencils' coefficients, and helpers that all variants share: parameters, boundary, order of steps.
#pragma once

#include <algorithm>
#include <cstdint>

#include "suite/choices.hpp"
#include "suite/variant.hpp"

// The formula is v = u + alpha * (second differences along x, y and z), where alpha = diffusivity * time step
// / spacing^2. All points at the same distance share a coefficient, or each point has its own.
// docs/explanation/programs/heat-stencil.md names the paper that uses one per point.
namespace sextant::heat3d {

// Weights of the central second difference of order 2R at distance 0 … R (B. Fornberg, Generation of finite
// difference formulas on arbitrarily spaced grids, Math. Comp. 51 (1988), table 1).
inline constexpr double second_difference[4][5] = {
    {-2.0, 1.0},
    {-5.0 / 2, 4.0 / 3, -1.0 / 12},
    {-49.0 / 18, 3.0 / 2, -3.0 / 20, 1.0 / 90},
    {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560},
};

// The factor of the second differences. Their sum over three axes is largest for waves of two points' length:
// -12, -16, -18.1, -19.5 times the wave for R = 1 … 4. Steps are stable up to alpha = 2 / 19.5 = 0.1025. The
// value 1/16 is exact in binary and damps every wave.
inline constexpr double alpha = 1.0 / 16;

// Returns c[k] of the reference loop.
constexpr double coefficient(int radius, int k) {
  const double weight = second_difference[radius - 1][k];
  return k == 0 ? 1 + 3 * alpha * weight : alpha * weight;
}

// Selects the coefficients. With by_distance, the six points at a distance share one coefficient. With
// by_point, each of the 6R + 1 points has its own.
enum class Weights : int { by_distance, by_point };

// The directions of a point's neighbours: x - k, x + k, y - k, y + k, z - k, z + k.
inline constexpr int directions = 6;

// For Weights::by_point, the relative change of the coefficient in each direction. All values differ, so that
// confusing two neighbours changes the result. The changes of opposite directions cancel. The sum of the six
// coefficients at a distance, and so the diffusion, is the same as with by_distance. The differences only add
// a drift of the heat.
inline constexpr double skew[directions] = {1.0 / 8, -1.0 / 8, 1.0 / 16, -1.0 / 16, 3.0 / 32, -1.0 / 32};

constexpr double point_coefficient(int radius, int direction, int k) {
  return coefficient(radius, k) * (1 + skew[direction]);
}

// Returns the coefficient of the centre. All coefficients of a point sum to 1, so that a constant field stays
// constant.
constexpr double centre_coefficient(int radius, Weights weights) {
  double centre = 1;
  for (int direction = 0; direction < directions; ++direction)
    for (int k = 1; k <= radius; ++k) centre -= point_coefficient(radius, direction, k);
  return weights == Weights::by_point ? centre : coefficient(radius, 0);
}

// The coefficients for Weights::by_distance. Used as a local constant, so that device code has them as
// immediate operands.
template <int radius, typename T>
struct Coefficients {
  T at[radius + 1] = {};
  constexpr Coefficients() {
    for (int k = 0; k <= radius; ++k) at[k] = static_cast<T>(coefficient(radius, k));
  }
};

// The coefficients for Weights::by_point.
template <int radius, typename T>
struct PointCoefficients {
  T centre, at[directions][radius + 1] = {};
  constexpr PointCoefficients() : centre(static_cast<T>(centre_coefficient(radius, Weights::by_point))) {
    for (int direction = 0; direction < directions; ++direction)
      for (int k = 1; k <= radius; ++k)
        at[direction][k] = static_cast<T>(point_coefficient(radius, direction, k));
  }
};

// Helpers that all variants share: the problem's parameters, the boundary, and the arrays that a step reads
// and writes.

using Radii = Choices<1, 2, 3, 4>;

inline std::int64_t steps_of(const Problem& problem) { return problem.parameters[0]; }
inline int radius_of(const Problem& problem) { return static_cast<int>(problem.parameters[1]); }
inline Weights weights_of(const Problem& problem) {
  return problem.parameters[2] ? Weights::by_point : Weights::by_distance;
}

// Returns null, or why a variant cannot run the problem. It is for variants that add all points at a distance
// and multiply the sum once. They need one coefficient per distance.
inline const char* refuse_by_point(const Problem& problem) {
  return weights_of(problem) == Weights::by_point
             ? "needs one coefficient per distance (per_point=0), because it adds points before it multiplies"
             : nullptr;
}

// Calls action.operator()<radius, weights>() with the radius and weights of the problem.
template <typename Action>
static void with_stencil(const Problem& problem, Action action) {
  Radii::with(radius_of(problem), [&]<int radius>() {
    if (weights_of(problem) == Weights::by_point)
      action.template operator()<radius, Weights::by_point>();
    else
      action.template operator()<radius, Weights::by_distance>();
  });
}

// Returns true if coordinate i of an axis of n points lies on the boundary.
template <int radius, typename Index>
static constexpr bool in_rim(Index i, Index n) {
  return i < radius || i >= n - radius;
}

// The arrays that sweep number `index` of `count` reads and writes. The first sweep reads u, and the last one
// writes v. Other sweeps alternate between v and the workspace w, so u is never written.
template <typename T>
struct Sweep {
  const T* from;
  T* to;
};

template <typename T>
static constexpr Sweep<T> sweep_of(const T* u, T* v, T* w, std::int64_t index, std::int64_t count) {
  const bool into_v = (count - index) % 2 == 1;
  return {index == 0 ? u : into_v ? w : v, into_v ? v : w};
}

// The overload for a call, whose first two arrays are u and v.
template <typename T>
static Sweep<T> sweep_of(const Call& call, T* w, std::int64_t index, std::int64_t count) {
  return sweep_of(call.array<const T>(0), call.array<T>(1), w, index, count);
}

// Computes all steps of a call, one sweep each. Calls sweep.operator()<radius, weights>(from, to).
template <typename T, typename SweepOnce>
static void sweep_steps(const Call& call, T* w, SweepOnce sweep) {
  const std::int64_t steps = steps_of(call.problem);
  with_stencil(call.problem, [&]<int radius, Weights weights>() {
    for (std::int64_t step = 0; step < steps; ++step) {
      const auto [from, to] = sweep_of(call, w, step, steps);
      sweep.template operator()<radius, weights>(from, to);
    }
  });
}

// Returns the bytes of the workspace: one array if there is more than one step.
inline std::int64_t workspace_bytes(const Problem& problem) {
  return steps_of(problem) > 1
             ? problem.extents.count() * static_cast<std::int64_t>(element_size(problem.type))
             : 0;
}

// Time skewing: several steps per pass over memory, in slabs of Z planes that fit in a cache. For slab j,
// step t of a pass computes planes [j*Z - t*R, (j+1)*Z - t*R). Step t - 1 has then written everything that
// step t reads. Two alternating arrays suffice: step t + 1 overwrites only planes below j*Z - (t+1)*R, which
// step t does not read again. No point is computed twice. Source: D. Wonnacott, Using time skewing to
// eliminate idle time due to memory bandwidth and network limitations, IPDPS 2000.

// Calls sweep(step, first, last) for planes [first, last) until all `steps` steps of a box of nz planes are
// complete. The inputs of each call are ready. A pass has `depth` steps, and a slab has `slab` planes. The
// calls of a step cover every plane once, with 0 <= first < last <= nz.
template <typename SweepPlanes>
void sweep_in_slabs(std::int64_t nz, std::int64_t radius, std::int64_t steps, std::int64_t depth,
                    std::int64_t slab, SweepPlanes sweep) {
  for (std::int64_t start = 0; start < steps; start += depth) {
    const std::int64_t now = std::min(depth, steps - start);
    for (std::int64_t front = 0; front - (now - 1) * radius < nz; front += slab)
      for (std::int64_t t = 0; t < now; ++t) {
        const std::int64_t first = std::max<std::int64_t>(0, front - t * radius),
                           last = std::min(nz, front + slab - t * radius);
        if (first < last) sweep(start + t, first, last);
      }
  }
}

}  // namespace sextant::heat3d
