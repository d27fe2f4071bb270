// Code shared by the host variants of the NAS benchmarks LU, SP and BT: fields, initial state and norms.
// Everything is local to the including file, because each file has its own compiler flags. `Loop` distributes
// iterations over workers:
//     struct Loop {
//       static int workers();
//       template <typename Body> static void each(std::int64_t count, const Body& body);  // body(i, worker)
//     };
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "suite/variant.hpp"
#include "toolbox/host/memory.hpp"
#include "toolbox/host/threads.hpp"
#include "toolbox/host/vector_bytes.hpp"
#include "toolbox/npb_flow/problem.hpp"

namespace sextant::npb::flow {
namespace {

// Runs the loop on one thread, or on OpenMP's threads if the file is compiled with OpenMP.
struct PlainLoop {
  static int workers() { return thread_count(); }
  template <typename Body>
  static void each(std::int64_t count, const Body& body) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i) body(i, thread_index());
  }
};

// Number of doubles in a vector register.
constexpr int wide = vector_bytes / static_cast<int>(sizeof(double));

// A field on the grid. It starts at element `first` of its allocation.
struct HostField {
  HostMemory<double> memory;
  std::int64_t first = 0;
  double* get() const { return memory.get() + first; }
};
inline HostField host_field(std::int64_t count, std::int64_t first) {
  return {allocate_host<double>(first + count), first};
}

// The state u, the right-hand side b and the forcing f, with five components each. `partial` holds ten
// partial sums of the norms for each plane k.
struct HostFlow {
  Grid grid;
  HostField u, b, f;
  HostMemory<double> partial;
};

// Returns a layout with an odd number of elements per row, as in NPB's own arrays. With a power of two, all
// planes would map to the same cache sets.
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
// Calls body(j, k, worker) for each row of interior points.
template <typename Loop, typename Body>
void each_interior_row(std::int64_t n, const Body& body) {
  const std::int64_t inner = n - 2;
  Loop::each(inner * inner,
             [&](std::int64_t row, int worker) { body(row % inner + 1, row / inner + 1, worker); });
}

// Allocates and initializes the fields. Returns null, or the reason of the failure. Each worker first touches
// the memory that it will use (NUMA). `apart`: offset in elements between u, b and f, so that they do not
// start at the same cache set.
template <typename Loop>
const char* make_flow(const Problem& problem, HostFlow* flow, std::int64_t apart = 0) {
  const std::int64_t n = points(problem);
  flow->grid = host_grid(n);
  const std::int64_t count = components * flow->grid.size();
  flow->u = host_field(count, 0), flow->b = host_field(count, apart), flow->f = host_field(count, 2 * apart);
  flow->partial = allocate_host<double>(norm_count * n);
  if (!flow->u.memory || !flow->b.memory || !flow->f.memory || !flow->partial) return "host memory ran out";
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

// Computes b = factor * R(u) in a row of interior points. The loop over points more than two away from both
// ends is vectorized.
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

inline void add_squares(const Five& a, double* sums) {
  sums[0] += a.r * a.r;
  sums[1] += a.x * a.x;
  sums[2] += a.y * a.y;
  sums[3] += a.z * a.z;
  sums[4] += a.e * a.e;
}

// Computes the norms of the residual and of the error. The order of summation does not depend on the number
// of workers.
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

// Writes the results of a launch to the kernel's arrays.
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
