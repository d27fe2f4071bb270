// Definitions shared by all variants of npb_cg, NAS CG: the smallest eigenvalue of a sparse symmetric matrix
// by inverse iteration. Its linear systems are solved by conjugate gradients (Bailey et al., "The NAS
// Parallel Benchmarks", RNR-94-007, section 2.2.3).
//
//     A = sum of s_i v_i v_i^T + (0.1 - shift) I    // untimed; v_i: about `nonzer` random elements
//     x = 1
//     for (it = 1; it <= iterations; ++it) {
//       z = 0, r = x, p = r, rho = r . r
//       repeat (25) {
//         q = A p
//         alpha = rho / (p . q)
//         z += alpha p
//         r -= alpha q
//         beta = (r . r) / rho, rho = r . r
//         p = r + beta p
//       }
//       rnorm = |x - A z|
//       zeta = shift + 1 / (x . z)
//       x = z / |z|
//     }
//
// matrix.hpp builds A. The benchmark's rules require products with the explicit matrix. Products with the
// vectors v_i would give the same zeta from an eighth of the data.
#pragma once

#include <cstdint>

#include "suite/problem.hpp"

namespace sextant::npb_cg {

inline constexpr int inner_iterations = 25;
inline constexpr int products_an_iteration = inner_iterations + 1;  // the last one is for the residual
inline constexpr double condition = 0.1;                            // called rcond in NPB

// Parameters of a Problem, whose extents are {n, 1, 1}.
inline std::int64_t iterations(const Problem& problem) { return problem.parameters[0]; }
inline std::int64_t nonzer(const Problem& problem) { return problem.parameters[1]; }
inline double shift(const Problem& problem) { return static_cast<double>(problem.parameters[2]); }
inline bool with_vector(const Problem& problem) { return problem.parameters[3] != 0; }

// Output arrays. If the problem asks for the eigenvector, they hold zeta and rnorm of every iteration and the
// last x. Otherwise they hold zeta and rnorm of the last iteration.
enum Array : int { zetas = 0, residuals = 1, eigenvector = 2 };

inline std::int64_t results(const Problem& problem) { return with_vector(problem) ? iterations(problem) : 1; }

// Returns an upper bound on the nonzeros: the number of terms of all outer products. A vector can have nonzer
// + 1 elements, because one is added on the diagonal.
inline std::int64_t most_entries(const Problem& problem) {
  return problem.extents.x * (nonzer(problem) + 1) * (nonzer(problem) + 1);
}

// A published NAS problem class such as S or W (NPB 3.4.2, CG/cg.f90). `entries` is the number of nonzeros;
// an independent program counted them.
struct Class {
  const char* name;
  std::int64_t n, nonzer, iterations, shift;
  double zeta;
  std::int64_t entries;
};

inline constexpr Class classes[] = {
    {"S", 1400, 7, 15, 10, 8.5971775078648, 78'148},
    {"W", 7000, 8, 15, 12, 10.362595087124, 508'402},
    {"A", 14000, 11, 15, 20, 17.130235054029, 1'853'104},
    {"B", 75000, 13, 75, 60, 22.712745482631, 13'708'072},
    {"C", 150000, 15, 75, 110, 28.973605592845, 36'121'058},
    {"D", 1500000, 21, 100, 500, 52.514532105794, 694'392'620},
};
inline constexpr double verification_tolerance = 1e-10;  // relative deviation of zeta that NPB allows

// Returns the problem class with this matrix and number of iterations, or null.
inline const Class* class_of(const Problem& problem) {
  for (const Class& one : classes)
    if (one.n == problem.extents.x && one.nonzer == nonzer(problem) &&
        one.iterations == iterations(problem) && one.shift == problem.parameters[2])
      return &one;
  return nullptr;
}

}  // namespace sextant::npb_cg
