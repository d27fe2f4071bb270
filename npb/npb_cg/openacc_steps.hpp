// Parts of CG that the OpenACC variants share: everything except the matrix-vector product. Each worker (a
// warp) stores a partial sum. The last worker to finish, found by an atomic counter, adds the partial sums,
// so that scalars stay on the device. Regions map no data, because mapping costs more than a launch in GCC
// (docs/reference/openacc.md#regions-that-map-nothing). Their parameters are in a device variable.
//
// A file that includes this header must define SEXTANT_ACC_STEPS, a unique name for that variable. It must
// end with #undef SEXTANT_FINISH.
#pragma once

#include <openacc.h>

#include <memory>
#include <vector>

#include "matrix.hpp"
#include "suite/variant.hpp"
#include "toolbox/openacc/memory.hpp"
#include "toolbox/openacc/ptx.hpp"

#ifndef SEXTANT_INLINE
  #define SEXTANT_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::npb_cg {

struct AccSteps {
  std::int64_t n;
  int count;  // number of workers per region that store a partial sum
  double *x, *z, *r, *p, *q, *parts, *scalars;
  int* arrived;
};
AccSteps SEXTANT_ACC_STEPS;
#pragma acc declare create(SEXTANT_ACC_STEPS)

namespace {

using openacc::Memory;

constexpr int lanes = 32, queue = 1;

SEXTANT_INLINE const AccSteps& on_device() { return SEXTANT_ACC_STEPS; }

enum Scalar : int { dot, square, next_square, distance, x_z, z_z, scalar_count };

struct StepVectors {
  double *x, *z, *r, *p, *q;
};

// Device memory for the vectors and for the partial sums of a given number of workers.
struct Steps {
  Memory<double> vectors;         // x, z, r, p, q in this order
  Memory<double> parts, scalars;  // parts: three partial sums per worker
  Memory<int> arrived;            // number of workers that have finished; 0 between regions

  bool make(std::int64_t n, int workers) {
    const double zeros[scalar_count] = {};
    const int none = 0;
    return vectors.fill(std::vector<double>(static_cast<std::size_t>(5 * n))) &&
           parts.allocate(3 * std::int64_t{workers}) && scalars.fill(zeros, scalar_count) &&
           arrived.fill(&none, 1);
  }
  StepVectors of_length(std::int64_t n) const {
    double* const first = vectors.data;
    return {first, first + n, first + 2 * n, first + 3 * n, first + 4 * n};
  }
};

// Declares the pointers that a worker needs to store its partial sum.
#define SEXTANT_SUMS                                                             \
  const std::int64_t n = on_device().n;                                          \
  double *const parts = on_device().parts, *const scalars = on_device().scalars; \
  int* const arrived = on_device().arrived;

// A worker must call this after storing its partial sums. The last worker then computes scalars[to + s] as
// the sum of parts[s * count], …, for s = 0 … sums - 1, and runs `then`.
#define SEXTANT_FINISH(sums, to, then)                                                              \
  openacc::order_gangs();                                                                           \
  int before;                                                                                       \
  _Pragma("acc atomic capture") before = (*arrived)++;                                              \
  if (before == count - 1) {                                                                        \
    openacc::order_gangs();                                                                         \
    for (int s = 0; s < (sums); ++s) {                                                              \
      double all = 0;                                                                               \
      _Pragma("acc loop vector reduction(+ : all)") for (int lane = 0; lane < lanes; ++lane) all += \
          sum_of_parts(parts + s * count, lane, count);                                             \
      scalars[(to) + s] = all;                                                                      \
    }                                                                                               \
    then;                                                                                           \
    *arrived = 0;                                                                                   \
  }

// Loads elements i, i + stride, … of v, all before the first is used. Indices past the end load the last
// element.
constexpr int together = 4;
SEXTANT_INLINE void read(const double* v, std::int64_t i, std::int64_t stride, std::int64_t n,
                         double (&elements)[together]) {
#pragma GCC unroll 4
  for (int u = 0; u < together; ++u) elements[u] = v[i + u * stride < n ? i + u * stride : n - 1];
}

// Returns one lane's share of the sum of all partial sums.
SEXTANT_INLINE double sum_of_parts(const double* parts, int lane, int count) {
  constexpr int at_once = 8;
  double sum = 0;
  for (int k = lane; k < count; k += at_once * lanes) {
    double few[at_once];
#pragma GCC unroll 8
    for (int u = 0; u < at_once; ++u) few[u] = k + u * lanes < count ? parts[k + u * lanes] : 0;
#pragma GCC unroll 8
    for (int u = 0; u < at_once; ++u) sum += few[u];
  }
  return sum;
}

// Starts an iteration. Sets x = 1 in the first one, else x = z / |z|. Then sets z = 0 and r = p = x and sums
// the squares of x.
template <int workers, bool first>
void begin(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(workers) vector_length(lanes) async(queue)
  {
    const int count = on_device().count;
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      SEXTANT_SUMS
      double *const x = on_device().x, *const z = on_device().z, *const r = on_device().r,
                    *const p = on_device().p;
      const double scale = first ? 0 : 1 / __builtin_sqrt(scalars[z_z]);
      double part = 0;
#pragma acc loop vector reduction(+ : part)
      for (int lane = 0; lane < lanes; ++lane)
        for (std::int64_t i = worker * lanes + lane; i < n; i += std::int64_t{count} * lanes) {
          const double one = first ? 1 : scale * z[i];
          x[i] = r[i] = p[i] = one;
          z[i] = 0;
          part += one * one;
        }
      parts[worker] = part;
      SEXTANT_FINISH(1, square, )
    }
  }
}

template <int workers>
void approach(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(workers) vector_length(lanes) async(queue)
  {
    const int count = on_device().count;
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      SEXTANT_SUMS
      const double *const p = on_device().p, *const q = on_device().q;
      double *const z = on_device().z, *const r = on_device().r;
      const double alpha = scalars[square] / scalars[dot];
      const std::int64_t stride = std::int64_t{count} * lanes;
      double part = 0;
#pragma acc loop vector reduction(+ : part)
      for (int lane = 0; lane < lanes; ++lane)
        for (std::int64_t i = worker * lanes + lane; i < n; i += together * stride) {
          double of_r[together], of_q[together], of_z[together], of_p[together];
          read(r, i, stride, n, of_r), read(q, i, stride, n, of_q);
          read(z, i, stride, n, of_z), read(p, i, stride, n, of_p);
#pragma GCC unroll 4
          for (int u = 0; u < together; ++u) {
            const std::int64_t at = i + u * stride;
            if (at >= n) continue;
            const double left = of_r[u] - alpha * of_q[u];
            z[at] = of_z[u] + alpha * of_p[u];
            r[at] = left;
            part += left * left;
          }
        }
      parts[worker] = part;
      SEXTANT_FINISH(1, next_square, )
    }
  }
}

// Computes p = r + beta p. The last worker then stores the new squared residual norm as the old one, which no
// other worker reads any more.
template <int workers>
void turn(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(workers) vector_length(lanes) async(queue)
  {
    const int count = on_device().count;
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      const std::int64_t n = on_device().n;
      const double* const r = on_device().r;
      double *const p = on_device().p, *const scalars = on_device().scalars;
      int* const arrived = on_device().arrived;
      const double beta = scalars[next_square] / scalars[square];
      const std::int64_t stride = std::int64_t{count} * lanes;
#pragma acc loop vector
      for (int lane = 0; lane < lanes; ++lane)
        for (std::int64_t i = worker * lanes + lane; i < n; i += together * stride) {
          double of_r[together], of_p[together];
          read(r, i, stride, n, of_r), read(p, i, stride, n, of_p);
#pragma GCC unroll 4
          for (int u = 0; u < together; ++u)
            if (i + u * stride < n) p[i + u * stride] = of_r[u] + beta * of_p[u];
        }
      openacc::order_gangs();
      int before;
#pragma acc atomic capture
      before = (*arrived)++;
      if (before == count - 1) {
        scalars[square] = scalars[next_square];
        *arrived = 0;
      }
    }
  }
}

template <int workers>
void end(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(workers) vector_length(lanes) async(queue)
  {
    const int count = on_device().count;
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      SEXTANT_SUMS
      const double *const x = on_device().x, *const z = on_device().z, *const q = on_device().q;
      double off = 0, xz = 0, zz = 0;
#pragma acc loop vector reduction(+ : off, xz, zz)
      for (int lane = 0; lane < lanes; ++lane)
        for (std::int64_t i = worker * lanes + lane; i < n; i += std::int64_t{count} * lanes) {
          off += (x[i] - q[i]) * (x[i] - q[i]);
          xz += x[i] * z[i];
          zz += z[i] * z[i];
        }
      parts[worker] = off;
      parts[count + worker] = xz;
      parts[2 * count + worker] = zz;
      SEXTANT_FINISH(3, distance, )
    }
  }
}

void hand_out(std::int64_t n, double shift, const double* z, const double* scalars, double* zeta,
              double* rnorm, double* last_x) {
#pragma acc parallel loop gang vector vector_length(128) deviceptr(z, scalars, zeta, rnorm, last_x)
  for (std::int64_t i = 0; i < n; ++i) {
    if (i == 0) {
      *zeta = shift + 1 / scalars[x_z];
      *rnorm = __builtin_sqrt(scalars[distance]);
    }
    if (last_x) last_x[i] = z[i] / __builtin_sqrt(scalars[z_z]);
  }
}

// Runs the CG program. product(of) must compute q = A v and store the dot product of v and q in scalars[dot];
// `of` selects v. If `turns` is true, the product for Of::next_p must first compute v = p = r + beta p.
// Afterwards it must store the new squared residual norm as the old one.
enum class Of { first_p, next_p, z };
template <int workers, bool turns, typename Product>
void run_steps(const Call& call, const Steps& s, int gangs, const Product& product) {
  const Problem& problem = call.problem;
  const std::int64_t n = problem.extents.x, steps = iterations(problem);
  const auto [x, z, r, p, q] = s.of_length(n);
  SEXTANT_ACC_STEPS = {n, gangs * workers, x, z, r, p, q, s.parts.data, s.scalars.data, s.arrived.data};
  // Replaces the directive `update device`, which GCC 12 ignores for a declared variable.
  acc_update_device(&SEXTANT_ACC_STEPS, sizeof SEXTANT_ACC_STEPS);
  const bool all = with_vector(problem);
  auto* zeta = static_cast<double*>(acc_deviceptr(call.address(zetas)));
  auto* rnorm = static_cast<double*>(acc_deviceptr(call.address(residuals)));
  for (std::int64_t it = 0; it < steps; ++it) {
    call.phase("conj_grad");
    it == 0 ? begin<workers, true>(gangs) : begin<workers, false>(gangs);
    for (int inner = 0; inner < inner_iterations; ++inner) {
      product(inner > 0 ? Of::next_p : Of::first_p);
      approach<workers>(gangs);
      if (!turns && inner < inner_iterations - 1) turn<workers>(gangs);
    }
    product(Of::z);
    call.phase("norm");
    end<workers>(gangs);
    const bool last = it == steps - 1;
    if (!all && !last) continue;
#pragma acc wait(queue)
    hand_out(all && last ? n : 1, shift(problem), z, s.scalars.data, zeta + (all ? it : 0),
             rnorm + (all ? it : 0),
             all && last ? static_cast<double*>(acc_deviceptr(call.address(eigenvector))) : nullptr);
  }
  call.phase("");
}

}  // namespace
}  // namespace sextant::npb_cg
