// Components of NAS FT that the host variants share: fields, random initial field, decay factors and
// checksums.
#pragma once

#include <memory>

#include "problem.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/memory.hpp"
#include "toolbox/host/threads.hpp"

namespace sextant::npb_ft {
namespace {

struct HostFields {
  HostMemory<Complex> u_memory, w_memory;
  Complex *u = nullptr, *w = nullptr;
};

// Allocates the fields. If the problem outputs the field, w is the kernel's output array instead. Each thread
// first touches the memory that it will use (NUMA placement). Returns null, or the reason for a failure.
inline const char* make_fields(const Call& call, HostFields* fields) {
  const std::int64_t count = call.problem.extents.count();
  fields->u_memory = allocate_host<Complex>(count);
  fields->u = fields->u_memory.get();
  if (with_field(call.problem)) {
    fields->w = call.array<Complex>(field);
  } else {
    fields->w_memory = allocate_host<Complex>(count);
    fields->w = fields->w_memory.get();
  }
  if (!fields->u || !fields->w) return "host memory ran out";
  Complex *u = fields->u, *w = fields->w;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) u[i] = w[i] = {0, 0};
  return nullptr;
}

// Stores the `count` random numbers that follow `state`. Sixteen interleaved generators advance by sixteen
// numbers each, which uses SIMD lanes and hides the multiplication's latency.
inline void random_row(std::uint64_t state, std::int64_t count, double* row) {
  constexpr int streams = 16;
  constexpr std::uint64_t jump = npb::random_jump(streams);
  std::uint64_t states[streams];
  for (std::uint64_t& one : states) one = state = npb::random_next(state);
  std::int64_t i = 0;
  for (; i + streams <= count; i += streams)
    for (int k = 0; k < streams; ++k) {
      row[i + k] = npb::random_value(states[k]);
      states[k] = npb::random_product(jump, states[k]);
    }
  for (int k = 0; i < count; ++i, ++k) row[i] = npb::random_value(states[k]);
}

// Sets the initial field u: two random numbers per element in storage order.
inline void set_initial(const Extents& e, Complex* u) {
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < e.y * e.z; ++row)
    random_row(npb::random_skip(npb::other_seed, static_cast<std::uint64_t>(2 * e.x * row)), 2 * e.x,
               &u[row * e.x].re);
}

// Computes the decay factors after t steps: e.x, e.y and e.z factors, each indexed by wave number.
inline void set_decay(const Extents& e, std::int64_t t, double* of_x, double* of_y, double* of_z) {
  for (std::int64_t i = 0; i < e.x; ++i) of_x[i] = decay(i, e.x, t);
  for (std::int64_t i = 0; i < e.y; ++i) of_y[i] = decay(i, e.y, t);
  for (std::int64_t i = 0; i < e.z; ++i) of_z[i] = decay(i, e.z, t);
}

inline Complex checksum(const Extents& e, const Complex* w) {
  Complex sum = {0, 0};
  for (std::int64_t j = 1; j <= checksum_points; ++j) {
    const Complex& value = w[checksum_index(e, j)];
    sum.re += value.re;
    sum.im += value.im;
  }
  const double scale = 1.0 / static_cast<double>(e.count());  // a power of two, so the scaling is exact
  return {sum.re * scale, sum.im * scale};
}

}  // namespace
}  // namespace sextant::npb_ft
