// What the host's forms of LU, SP and BT share: fields, the start, norms. Everything is local to the file that includes
// this, as each is compiled with its own flags. `Loop` says how iterations are shared among workers:
//
//     struct Loop {
//       static int workers();
//       template <typename Body> static void each(std::int64_t count, const Body& body);  // body(i, worker)
//     };
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#if defined(_OPENMP)
  #include <omp.h>
#endif

#include "suite/variant.hpp"
#include "toolbox/host/memory.hpp"
#include "toolbox/host/vector_bytes.hpp"
#include "toolbox/npb_flow/problem.hpp"

namespace sextant::npb::flow {
namespace {

// On one thread, or on OpenMP's, as the file is compiled.
struct PlainLoop {
  static int workers() {
#if defined(_OPENMP)
    return omp_get_max_threads();
#else
    return 1;
#endif
  }
  template <typename Body>
  static void each(std::int64_t count, const Body& body) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
#if defined(_OPENMP)
      body(i, omp_get_thread_num());
#else
      body(i, 0);
#endif
    }
  }
};

// Doubles of a vector register.
constexpr int wide = vector_bytes / static_cast<int>(sizeof(double));

// State u, right side b and forcing f, five components each; partial sums of norms, a row of ten for each k.
struct HostFlow {
  Grid grid;
  HostMemory<double> u, b, f, partial;
};

// Rows of an odd number of points, as NPB's own arrays have them: planes of a power of two would meet in a set of the cache.
inline Grid host_grid(std::int64_t n) { return {n, n / 2 * 2 + 1, 0}; }

inline std::int64_t host_flow_bytes(const Problem& problem) {
  const std::int64_t n = points(problem);
  return 8 * (3 * components * host_grid(n).size() + norm_count * n);
}

// Calls body(j, k, worker) for each row of the grid.
template <typename Loop, typename Body>
void each_row(std::int64_t n, const Body& body) {
  Loop::each(n * n, [&](std::int64_t row, int worker) { body(row % n, row / n, worker); });
}
// The same for rows of interior points.
template <typename Loop, typename Body>
void each_interior_row(std::int64_t n, const Body& body) {
  const std::int64_t inner = n - 2;
  Loop::each(inner * inner,
             [&](std::int64_t row, int worker) { body(row % inner + 1, row / inner + 1, worker); });
}

// Null, or why there is none. Memory is touched first as the workers will use it.
template <typename Loop>
const char* make_flow(const Problem& problem, HostFlow* flow) {
  const std::int64_t n = points(problem);
  flow->grid = host_grid(n);
  const std::int64_t count = components * flow->grid.size();
  flow->u = allocate_host<double>(count), flow->b = allocate_host<double>(count),
  flow->f = allocate_host<double>(count);
  flow->partial = allocate_host<double>(norm_count * n);
  if (!flow->u || !flow->b || !flow->f || !flow->partial) return "host memory ran out";
  each_row<Loop>(n, [&](std::int64_t j, std::int64_t k, int) {
    const Grid& g = flow->grid;
    const bool inside = j > 0 && k > 0 && j < n - 1 && k < n - 1;
    for (std::int64_t i = 0; i < n; ++i) {
      const bool interior = inside && i > 0 && i < n - 1;
      store(flow->f.get(), g.size(), g.at(i, j, k), interior ? forcing_at(n, i, j, k) : Five{});
      store(flow->u.get(), g.size(), g.at(i, j, k), Five{});
      store(flow->b.get(), g.size(), g.at(i, j, k), Five{});
    }
    for (std::int64_t i = n; i < g.pitch; ++i) store(flow->u.get(), g.size(), g.at(i, j, k), Five{});
  });
  return nullptr;
}

template <typename Loop>
void reset(const Grid& g, double* u) {
  each_row<Loop>(g.n, [&](std::int64_t j, std::int64_t k, int) {
    for (std::int64_t i = 0; i < g.n; ++i) store(u, g.size(), g.at(i, j, k), initial_at(g.n, i, j, k));
  });
}

// b = factor * R(u) in a row of interior points; those in its middle, whose neighbours along the row are all there, in
// vectors.
inline void residual_row(const Grid& g, double factor, const double* u, const double* f, std::int64_t j,
                         std::int64_t k, double* b) {
  const std::int64_t size = g.size(), n = g.n, row = g.at(0, j, k);
  const Reach in_y = reach(j, n), in_z = reach(k, n);
#pragma omp simd
  for (std::int64_t i = 3; i < n - 3; ++i)
    store(b, size, row + i,
          times(factor, sum(load(f, size, row + i), operator_at(g, u, row + i, reach_inside(), in_y, in_z))));
  for (const std::int64_t i : {std::int64_t{1}, std::int64_t{2}, n - 3, n - 2})
    if (i >= 1 && (i < 3 || i >= std::max<std::int64_t>(3, n - 3)))
      store(b, size, g.at(i, j, k), times(factor, residual_at(g, u, f, i, j, k)));
}

// The operator as a sum of what each of a point's neighbours adds to it by its own state alone, so that nothing is computed
// twice. Weights of all components' second and fourth differences along an axis, of the points from p - 2 to p + 2.
template <int axis>
SEXTANT_FLOW Fourth difference_weights(const Scheme& s, const Fourth& w) {
  const double second = diffusion<axis> * s.t1;
  return {-dissipation * w.m2, second - dissipation * w.m1, -2 * second - dissipation * w.c,
          second - dissipation * w.p1, -dissipation * w.p2};
}
SEXTANT_FLOW Five plus_times(const Five& sum, double weight, const Five& a) {
  return {sum.r + weight * a.r, sum.x + weight * a.x, sum.y + weight * a.y, sum.z + weight * a.z,
          sum.e + weight * a.e};
}
// The part of the neighbour with state a; `first` is the weight of first differences, negative below the point.
template <int axis>
SEXTANT_FLOW Five plus_neighbour(const Five& sum, double weight, double first, double viscous,
                                 const Five& a) {
  const Derived d = derived(a);
  const double w = velocity<axis>(d), carried = weight - first * w, along = 4.0 / 3.0 * viscous;
  const double pressure = first * c2 * (a.e - d.q);
  return {sum.r + weight * a.r - first * momentum<axis>(a),
          sum.x + carried * a.x + (axis == 0 ? along : viscous) * d.vx - (axis == 0 ? pressure : 0),
          sum.y + carried * a.y + (axis == 1 ? along : viscous) * d.vy - (axis == 1 ? pressure : 0),
          sum.z + carried * a.z + (axis == 2 ? along : viscous) * d.vz - (axis == 2 ? pressure : 0),
          sum.e + weight * a.e - first * w * (c1 * a.e - c2 * d.q) +
              viscous * ((1 - c1c5) * d.kappa + (1.0 / 6.0) * w * w + c1c5 * d.e)};
}
template <int axis>
SEXTANT_FLOW Five plus_axis(const Five& sum, const Scheme& s, const Reach& reach, const Fourth& w,
                            const Stored& at) {
  const double viscous = c34 * s.t1;
  const Five near = plus_neighbour<axis>(plus_neighbour<axis>(sum, w.m1, -s.t2, viscous, at(-1)), w.p1, s.t2,
                                         viscous, at(1));
  return plus_times(plus_times(near, w.m2, at(reach.below)), w.p2, at(reach.above));
}
// The point's own part, of second differences along all axes.
SEXTANT_FLOW Five plus_centre(const Five& sum, double weight, const Scheme& s, const Five& c) {
  const Derived d = derived(c);
  const double twice = 2 * c34 * s.t1, momenta = (4.0 / 3.0 + 2) * twice;
  const Five linear = plus_times(sum, weight, c);
  return {linear.r, linear.x - momenta * d.vx, linear.y - momenta * d.vy, linear.z - momenta * d.vz,
          linear.e - twice * ((3 * (1 - c1c5) + 1.0 / 3.0) * d.kappa + 3 * c1c5 * d.e)};
}

// b = factor * R(u) in a row of interior points, all in vectors, of which the last two may overlap. Second neighbours beyond the
// row's ends have no weight; rows hold numbers there.
inline void residual_in_eights(const Grid& g, double factor, const double* u, const double* f, std::int64_t j,
                               std::int64_t k, double* b) {
  constexpr int eight = 8;
  const std::int64_t size = g.size(), n = g.n, row = g.at(0, j, k), last = n - 1 - eight;
  if (last < 1) return residual_row(g, factor, u, f, j, k, b);
  const Scheme s(n);
  const Reach in_x = reach_inside(), in_y = reach(j, n), in_z = reach(k, n);
  const Fourth y = difference_weights<1>(s, in_y.weights), z = difference_weights<2>(s, in_z.weights);
  for (std::int64_t first = 1; first < n - 1; first += eight) {
    const std::int64_t start = std::min(first, last);
#pragma omp simd
    for (int l = 0; l < eight; ++l) {
      const std::int64_t i = start + l, at = row + i;
      const Fourth x = difference_weights<0>(s, fourth(i, n));
      Five sum = plus_centre(load(f, size, at), x.c + y.c + z.c, s, load(u, size, at));
      sum = plus_axis<0>(sum, s, in_x, x, Stored{u, size, at, g.template step<0>()});
      sum = plus_axis<1>(sum, s, in_y, y, Stored{u, size, at, g.template step<1>()});
      sum = plus_axis<2>(sum, s, in_z, z, Stored{u, size, at, g.template step<2>()});
      store(b, size, at, times(factor, sum));
    }
  }
}

inline void add_squares(const Five& a, double* sums) {
  sums[0] += a.r * a.r;
  sums[1] += a.x * a.x;
  sums[2] += a.y * a.y;
  sums[3] += a.z * a.z;
  sums[4] += a.e * a.e;
}

// Norms of residual and error; sums of planes are added in order, whoever made them.
template <typename Loop>
void put_norms(const HostFlow& flow, double* out) {
  const Grid& g = flow.grid;
  const double *u = flow.u.get(), *f = flow.f.get();
  double* partial = flow.partial.get();
  Loop::each(g.n - 2, [&](std::int64_t plane, int) {
    const std::int64_t k = plane + 1;
    double sums[norm_count] = {};
    for (std::int64_t j = 1; j < g.n - 1; ++j)
      for (std::int64_t i = 1; i < g.n - 1; ++i) {
        add_squares(residual_at(g, u, f, i, j, k), sums);
        add_squares(difference(load(u, g.size(), g.at(i, j, k)), exact_at(g.n, i, j, k)), sums + components);
      }
    std::copy(sums, sums + norm_count, partial + norm_count * plane);
  });
  const auto side = static_cast<double>(g.n - 2);
  for (int m = 0; m < norm_count; ++m) {
    double sum = 0;
    for (std::int64_t plane = 0; plane < g.n - 2; ++plane) sum += partial[norm_count * plane + m];
    out[m] = std::sqrt(sum / (side * side * side));
  }
}

// What a launch leaves in the kernel's arrays.
template <typename Loop>
void put_results(const Call& call, const HostFlow& flow) {
  put_norms<Loop>(flow, call.array<double>(norms));
  if (!with_field(call.problem)) return;
  const std::int64_t n = flow.grid.n, pitch = flow.grid.pitch;
  const double* u = flow.u.get();
  double* out = call.array<double>(field);
  Loop::each(components * n * n, [&](std::int64_t i, int) { std::copy_n(u + i * pitch, n, out + i * n); });
}

}  // namespace
}  // namespace sextant::npb::flow
