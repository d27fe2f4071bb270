// Code shared by the OpenACC variants of the NAS benchmarks LU, SP and BT: device fields, initial state and
// norms.
#pragma once

#include <openacc.h>

#include <memory>

#include "suite/variant.hpp"
#include "toolbox/npb_flow/rows.hpp"
#include "toolbox/openacc/memory.hpp"

namespace sextant::npb::flow {
namespace {

void set_start(int n, double* u) {
#pragma acc parallel loop gang vector collapse(3) vector_length(128) deviceptr(u)
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const Grid g = dense_grid(n);
        store(u, g.size(), g.at(i, j, k), initial_at(n, i, j, k));
      }
}

// Sets the forcing f. Sets b to zero, because the solver requires zeros on the boundary.
void set_forcing(int n, double* f, double* b) {
#pragma acc parallel loop gang vector collapse(3) vector_length(128) deviceptr(f, b)
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const Grid g = dense_grid(n);
        const Five zero = {};
        store(b, g.size(), g.at(i, j, k), zero);
        if (i > 0 && j > 0 && k > 0 && i < n - 1 && j < n - 1 && k < n - 1)
          store(f, g.size(), g.at(i, j, k), forcing_at(n, i, j, k));
        else
          store(f, g.size(), g.at(i, j, k), zero);
      }
}

void put_norms(int n, const double* u, const double* f, double* partial, double* out) {
  const int inner = n - 2;
#pragma acc parallel loop gang vector vector_length(64) deviceptr(u, f, partial)
  for (int row = 0; row < inner * inner; ++row) add_residual_row(dense_grid(n), u, f, row, partial);
#pragma acc parallel loop gang vector vector_length(64) deviceptr(u, partial)
  for (int row = 0; row < inner * inner; ++row) add_error_row(dense_grid(n), u, row, partial);
#pragma acc parallel loop gang vector vector_length(64) deviceptr(partial)
  for (int item = 0; item < norm_count * inner; ++item) add_plane(inner, item, partial);
#pragma acc parallel loop gang vector vector_length(32) deviceptr(partial) present(out [0:norm_count])
  for (int m = 0; m < norm_count; ++m) out[m] = norm_of(inner, m, partial);
}

void copy_state(std::int64_t count, const double* u, double* out) {
#pragma acc parallel loop gang vector vector_length(128) deviceptr(u) present(out [0:count])
  for (std::int64_t i = 0; i < count; ++i) out[i] = u[i];
}

struct AccFlow {
  openacc::Memory<double> u, b, f, partial;

  static std::int64_t bytes(std::int64_t n) { return 8 * (3 * components * n * n * n + partial_doubles(n)); }
  const char* make(std::int64_t n) {
    const std::int64_t count = components * n * n * n;
    if (!u.allocate(count) || !b.allocate(count) || !f.allocate(count) ||
        !partial.allocate(partial_doubles(n)))
      return "device memory ran out";
    set_forcing(static_cast<int>(n), f.data, b.data);
    return nullptr;
  }
  void put_results(const Call& call) const {
    const std::int64_t n = points(call.problem);
    put_norms(static_cast<int>(n), u.data, f.data, partial.data, call.array<double>(norms));
    if (with_field(call.problem)) copy_state(components * n * n * n, u.data, call.array<double>(field));
  }
};

}  // namespace
}  // namespace sextant::npb::flow
