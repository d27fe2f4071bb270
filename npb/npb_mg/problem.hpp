// Definitions shared by all variants of npb_mg, NAS MG: V-cycles for a Poisson problem on a periodic grid of
// n^3 points (Bailey et al., "The NAS Parallel Benchmarks", RNR-94-007, section 2.2.2). Levels k = 1 … log2 n
// have (2^k)^3 points; r_k and u_k are on level k, v is on the finest level.
//
//     v[z][y][x] = -1 at the ten smallest of n^3 random numbers, +1 at the ten largest, else 0
//     u = 0; r = v - A u; norms[0] = sqrt(sum of r^2 / n^3)
//     for (t = 1; t <= iterations; ++t) {
//       for (k = finest; k >= 2; --k) r_{k-1} = restrict(r_k)
//       u_1 = S r_1
//       for (k = 2; k < finest; ++k) { u_k = Q u_{k-1}; r_k -= A u_k; u_k += S r_k }
//       u += Q u_{finest-1}; r = v - A u; u += S r
//       r = v - A u
//     }
//     norms[1] = sqrt(sum of r^2 / n^3)
//
// A, S and restrict are 27-point stencils: weighted sums over a point and its 6, 12 and 8 neighbours at
// faces, edges and corners. Q interpolates linearly. Coarse point c coincides with fine point 2c + 1.
//
// `prepare` computes v; a launch computes all the rest, starting with u = 0. NPB's own timing excludes v and
// a warm-up iteration.
#pragma once

#include <bit>
#include <cstdint>

#include "suite/problem.hpp"
#include "toolbox/npb_random.hpp"

namespace sextant::npb_mg {

inline constexpr std::int64_t least_side = 4;
// Side in NAS problem class D. Up to this side, indices of a field fit in 32 bits.
inline constexpr std::int64_t most_side = 1024;

enum Array : int { norms = 0, field_u = 1, field_r = 2 };  // indices of the problem's arrays

// Parameters of a Problem: number of V-cycles; whether the smoother is that of classes B and larger
// (parameter 1); whether u and r are outputs.
inline std::int64_t iterations(const Problem& problem) { return problem.parameters[0]; }
inline bool with_field(const Problem& problem) { return problem.parameters[2] != 0; }
inline std::int64_t side(const Problem& problem) { return problem.extents.x; }

constexpr int log2_of(std::int64_t n) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 1;
}

// Weights of the operator A for the point, edges and corners; faces have weight 0.
inline constexpr double a_centre = -8.0 / 3.0, a_edge = 1.0 / 6.0, a_corner = 1.0 / 12.0;

// Weights of the smoother S for the point, faces and edges; corners have weight 0.
struct Smoother {
  double centre, face, edge;
};
constexpr Smoother smoother_of(bool later_classes) {
  return later_classes ? Smoother{-3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0}
                       : Smoother{-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0};
}
inline Smoother smoother(const Problem& problem) { return smoother_of(problem.parameters[1] != 0); }

// Number of points of the grid with side n (cube), and of all coarser grids together, down to 2^3.
constexpr std::int64_t cube(std::int64_t n) { return n * n * n; }
constexpr std::int64_t coarser_points(std::int64_t n) { return (cube(n) - 8) / 7; }

// Offset of the grid with side m in an array of all grids, which starts with the coarsest, 2^3.
constexpr std::int64_t level_offset(std::int64_t m) { return (cube(m) - 8) / 7; }

}  // namespace sextant::npb_mg
