// lbm_d3q15: flow by the lattice Boltzmann method. f[k][z][y][x] is the density of particles that move along
// e[k]; flags mark solid nodes. A force along x drives the flow. All three axes are periodic. Walls are solid
// nodes, and a density that meets one returns to the node it came from (bounce-back).
//
//     for (step = 0; step < steps; ++step) {
//       for each fluid node x, for k in 0 … 14:                                                   (propagate)
//         g[k][x] = solid[x - e[k]] ? f[opposite(k)][x] : f[k][x - e[k]];
//       for each fluid node x {                                                                     (collide)
//         rho = sum of g[k][x];  u = (sum of e[k] g[k][x] + tau F) / rho;
//         for k in 0 … 14:
//           f[k][x] = g[k][x] + (w[k] rho (1 + 3 e[k].u + 4.5 (e[k].u)^2 - 1.5 u.u) - g[k][x]) / tau;
//       }
//     }
//
// Solid nodes keep their values. The lattice is D3Q15 of Qian, d'Humières and Lallemand ("Lattice BGK models
// for Navier-Stokes equation", 1992). The force shifts the equilibrium's velocity as in Shan and Chen
// ("Lattice Boltzmann model for simulating flows with multiple phases and components", 1993).
#pragma once

#include <cmath>
#include <type_traits>

#include "suite/variant.hpp"

#if defined(__CUDACC__)
  #define LBM_INLINE __host__ __device__ __forceinline__
#else
  #define LBM_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::lbm_d3q15 {

inline constexpr int directions = 15;

// Returns the opposite of direction k. Direction 0 is at rest. Directions 1 … 6 lead to the faces +x, -x, +y,
// -y, +z, -z, and 7 … 14 to the corners. Each odd direction is followed by its opposite.
LBM_INLINE constexpr int opposite(int k) { return k == 0 ? 0 : ((k - 1) ^ 1) + 1; }

// Returns the component of e[k] along axis 0, 1 or 2. The directions 7, 9, 11, 13 to corners are +++, ++-,
// +-+ and +--.
LBM_INLINE constexpr int along(int k, int axis) {
  if (k == 0) return 0;
  const int pair = (k - 1) / 2, sign = (k & 1) ? 1 : -1;
  if (pair < 3) return pair == axis ? sign : 0;
  const bool turned = (axis == 1 && pair >= 5) || (axis == 2 && (pair == 4 || pair == 6));
  return turned ? -sign : sign;
}

LBM_INLINE constexpr double weight(int k) { return k == 0 ? 2.0 / 9 : k < 7 ? 1.0 / 9 : 1.0 / 72; }

// ---- indices of the problem's parameters

enum Parameter : int { steps_index, tau_index, force_index, scene_index };

// Shape of the walls. It determines which axes are periodic: along the other axes the outermost nodes must be
// solid. All scenes except `box` and `porous` are channels along x, with a force that drives the flow.
enum Scene : int {
  rough_duct,  // walls in y and z; one in four of the nodes next to them is solid, at random
  duct,        // walls in y and z
  plates,      // walls in z
  box,         // no solid nodes
  porous,      // one node in eight is solid, at random
};

constexpr std::int64_t steps_of(const Problem& problem) { return problem.parameters[steps_index]; }
constexpr double tau_of(const Problem& problem) {
  return 1e-3 * static_cast<double>(problem.parameters[tau_index]);
}
constexpr double force_of(const Problem& problem) {
  return 1e-6 * static_cast<double>(problem.parameters[force_index]);
}
constexpr bool periodic(const Problem& problem, int axis) {
  const std::int64_t scene = problem.parameters[scene_index];
  return axis == 0 || scene == box || scene == porous || (scene == plates && axis == 1);
}

// Calls the prepare function for the call's element type. This is for variants with one prepare function per
// type.
template <auto of_float, auto of_double>
const char* prepare_either(const Call& call, void** state) {
  return call.problem.type == ElementType::float32 ? of_float(call, state) : of_double(call, state);
}

// ---- collision

// The constants of a collision.
template <typename T>
struct Rates {
  T keep;          // 1 - 1/tau
  T face, corner;  // w[k] / tau for faces and for corners
  T push;          // tau F, which shifts the velocity
};

template <typename T>
constexpr Rates<T> rates_of(const Problem& problem) {
  const double tau = tau_of(problem);
  return {static_cast<T>(1 - 1 / tau), static_cast<T>(weight(1) / tau), static_cast<T>(weight(7) / tau),
          static_cast<T>(tau * force_of(problem))};
}

// Returns 1 / a. On a GPU this avoids the branches that a division has for values that no density takes. The
// hardware approximation has a relative error e of about 2^-20; the refinement reduces it to e^3.
template <typename V>
LBM_INLINE constexpr V reciprocal(V a) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<V, double>) {
    double guess;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(a));
    const double error = fma(-a, guess, 1.0);
    return fma(guess, fma(error, error, error), guess);
  }
#endif
  return 1 / a;
}

// Returns a b + c. On a GPU it is an explicit fused multiply-add. `relax` adds one product to two sums. The
// compiler would multiply only once, although two fused operations are faster.
template <typename V>
LBM_INLINE constexpr V multiply_add(V a, V b, V c) {
#if defined(__CUDA_ARCH__)
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}

// Relaxes the densities of two opposite directions towards equilibrium. The equilibrium is weight (base + c^2
// + sqrt(2) c) for `forward`, where c = sqrt(4.5) e.u. For `backward`, c has the opposite sign.
template <typename T, typename V>
LBM_INLINE constexpr void relax(V& forward, V& backward, T keep, V weight_rho, V weight_rho_base, V c) {
  const V weighted = weight_rho * c, even = weight_rho_base + weighted * c;
  const V root = V{} + static_cast<T>(1.4142135623730950488);
  forward = keep * forward + multiply_add(root, weighted, even);
  backward = keep * backward + multiply_add(-root, weighted, even);
}

// Number of floating-point operations of one collision as written here. The reciprocal counts as one
// operation, and so does an expression that is written twice.
inline constexpr std::int64_t collision_flops = 21 + 11 + 2 + 3 + 7 + 4 + 3 + 6 + 7 * 10;

// Replaces the densities f[0 … 14] of one node by those after its collision. V is T, or a SIMD vector of T
// for several nodes at once.
template <typename T, typename V>
LBM_INLINE constexpr void collide(V* f, const Rates<T>& rates) {
  const V x = f[1] - f[2], y = f[3] - f[4], z = f[5] - f[6];
  const V a = f[7] - f[8], b = f[9] - f[10], c = f[11] - f[12], d = f[13] - f[14];
  const V faces = ((f[1] + f[2]) + (f[3] + f[4])) + (f[5] + f[6]);
  const V corners = ((f[7] + f[8]) + (f[9] + f[10])) + ((f[11] + f[12]) + (f[13] + f[14]));
  const V rho = f[0] + (faces + corners);
  const V scale = static_cast<T>(2.1213203435596425732) * reciprocal(rho);  // sqrt(4.5)
  const V ux = scale * (x + ((a + b) + (c + d)) + rates.push);
  const V uy = scale * (y + ((a + b) - (c + d)));
  const V uz = scale * (z + ((a - b) + (c - d)));
  const V base = T(1) - static_cast<T>(1.0 / 3) * (ux * ux + uy * uy + uz * uz);
  const V face = rates.face * rho, corner = rates.corner * rho;
  const V face_base = face * base, corner_base = corner * base;
  // The weight of the rest density is twice that of a face.
  f[0] = rates.keep * f[0] + T(2) * face_base;
  relax(f[1], f[2], rates.keep, face, face_base, ux);
  relax(f[3], f[4], rates.keep, face, face_base, uy);
  relax(f[5], f[6], rates.keep, face, face_base, uz);
  relax<T, V>(f[7], f[8], rates.keep, corner, corner_base, (ux + uy) + uz);
  relax<T, V>(f[9], f[10], rates.keep, corner, corner_base, (ux + uy) - uz);
  relax<T, V>(f[11], f[12], rates.keep, corner, corner_base, (ux - uy) + uz);
  relax<T, V>(f[13], f[14], rates.keep, corner, corner_base, (ux - uy) - uz);
}

// ---- neighbours

// Offsets from a node's index to its neighbours, which wrap around the ends of the box.
template <typename Index>
struct Neighbours {
  Index before[3], after[3];
};

template <typename Index>
LBM_INLINE constexpr Neighbours<Index> neighbours_of(Index nx, Index ny, Index nz, Index x, Index y,
                                                     Index z) {
  const Index row = nx, plane = nx * ny, all = plane * nz;
  // Returns `length` at an end of the axis, else 0. It uses masks, because some compilers turn each `?` into
  // a branch.
  const auto at = [](bool end, Index length) { return length & -static_cast<Index>(end); };
  return {{at(x == 0, row) - 1, at(y == 0, plane) - row, at(z == 0, all) - plane},
          {1 - at(x == nx - 1, row), row - at(y == ny - 1, plane), plane - at(z == nz - 1, all)}};
}

// Returns the offset from a node to the neighbour whose density along direction k arrives at the node.
template <typename Index>
LBM_INLINE constexpr Index source(const Neighbours<Index>& to, int k) {
  Index offset = 0;
  if (along(k, 0) != 0) offset += along(k, 0) > 0 ? to.before[0] : to.after[0];
  if (along(k, 1) != 0) offset += along(k, 1) > 0 ? to.before[1] : to.after[1];
  if (along(k, 2) != 0) offset += along(k, 2) > 0 ? to.before[2] : to.after[2];
  return offset;
}

// ---- links: the flags of a node and its neighbours that the node's update needs, in 16 bits

using Links = std::uint16_t;
// Bit 0 of the links is set if the node is solid. Bit k is set if direction k comes from a solid node.
inline constexpr Links solid_node = 1;

template <typename T, typename Index>
LBM_INLINE constexpr Links links_of(const T* flags, Index nx, Index ny, Index nz, Index x, Index y, Index z) {
  const Index i = (z * ny + y) * nx + x;
  if (flags[i] != 0) return solid_node;
  const Neighbours<Index> to = neighbours_of(nx, ny, nz, x, y, z);
  unsigned bits = 0;
  for (int k = 1; k < directions; ++k) bits |= flags[i + source(to, k)] != 0 ? 1u << k : 0u;
  return static_cast<Links>(bits);
}

// Returns true if a node may have this flag: 0 (fluid) or 1 (solid). Outermost nodes along non-periodic axes
// must be solid.
template <typename T>
LBM_INLINE constexpr bool allowed(T flag, bool outermost) {
  return flag == T(1) || (flag == T(0) && !outermost);
}

// Returns true if (x, y, z) is an outermost node along an axis that is not periodic.
LBM_INLINE constexpr bool on_open_boundary(const Problem& problem, std::int64_t x, std::int64_t y,
                                           std::int64_t z) {
  const Extents& size = problem.extents;
  return (!periodic(problem, 0) && (x == 0 || x == size.x - 1)) ||
         (!periodic(problem, 1) && (y == 0 || y == size.y - 1)) ||
         (!periodic(problem, 2) && (z == 0 || z == size.z - 1));
}

}  // namespace sextant::lbm_d3q15
