// Code shared by the OpenMP offloading variants of the NAS benchmarks LU, SP and BT: mapped fields, initial
// state and norms. Target regions get only scalars and pointers, because structs would have to be mapped.
#pragma once

#include <cstdlib>
#include <memory>

#include "suite/variant.hpp"
#include "toolbox/npb_flow/rows.hpp"

namespace sextant::npb::flow {
namespace {

// Host memory that is mapped to the device. Only target regions access it.
struct MappedDoubles {
  double* data = nullptr;
  std::int64_t count = 0;
  MappedDoubles() = default;
  MappedDoubles(const MappedDoubles&) = delete;
  MappedDoubles& operator=(const MappedDoubles&) = delete;
  ~MappedDoubles() {
    if (!data) return;
    double* const memory = data;
    const std::int64_t elements = count;
#pragma omp target exit data map(delete : memory [0:elements])
    std::free(memory);
  }
  bool allocate(std::int64_t elements) {
    double* const memory =
        static_cast<double*>(std::malloc(static_cast<std::size_t>(elements) * sizeof(double)));
    if (!memory) return false;
#pragma omp target enter data map(alloc : memory [0:elements])
    data = memory, count = elements;
    return true;
  }
};

void set_start(int n, std::int64_t count, double* u) {
#pragma omp target teams distribute parallel for collapse(3) map(u [0:count])
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const Grid g = dense_grid(n);
        store(u, g.size(), g.at(i, j, k), initial_at(n, i, j, k));
      }
}

// Sets the forcing f. Sets b to zero, because the solver requires zeros on the boundary.
void set_forcing(int n, std::int64_t count, double* f, double* b) {
#pragma omp target teams distribute parallel for collapse(3) map(f [0:count], b [0:count])
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

void put_norms(int n, std::int64_t count, std::int64_t partials, const double* u, const double* f,
               double* partial, double* out) {
  const int inner = n - 2;
#pragma omp target teams distribute parallel for map(u [0:count], f [0:count], partial [0:partials])
  for (int row = 0; row < inner * inner; ++row) add_residual_row(dense_grid(n), u, f, row, partial);
#pragma omp target teams distribute parallel for map(u [0:count], partial [0:partials])
  for (int row = 0; row < inner * inner; ++row) add_error_row(dense_grid(n), u, row, partial);
#pragma omp target teams distribute parallel for map(partial [0:partials])
  for (int item = 0; item < norm_count * inner; ++item) add_plane(inner, item, partial);
#pragma omp target teams distribute parallel for map(partial [0:partials], out [0:norm_count])
  for (int m = 0; m < norm_count; ++m) out[m] = norm_of(inner, m, partial);
}

void copy_state(std::int64_t count, const double* u, double* out) {
#pragma omp target teams distribute parallel for map(u [0:count], out [0:count])
  for (std::int64_t i = 0; i < count; ++i) out[i] = u[i];
}

struct TargetFlow {
  MappedDoubles u, b, f, partial;

  static std::int64_t bytes(std::int64_t n) { return 8 * (3 * components * n * n * n + partial_doubles(n)); }
  const char* make(std::int64_t n) {
    const std::int64_t count = components * n * n * n;
    if (!u.allocate(count) || !b.allocate(count) || !f.allocate(count) ||
        !partial.allocate(partial_doubles(n)))
      return "memory ran out";
    set_forcing(static_cast<int>(n), count, f.data, b.data);
    return nullptr;
  }
  void put_results(const Call& call) const {
    const std::int64_t n = points(call.problem);
    put_norms(static_cast<int>(n), u.count, partial.count, u.data, f.data, partial.data,
              call.array<double>(norms));
    if (with_field(call.problem)) copy_state(u.count, u.data, call.array<double>(field));
  }
};

}  // namespace
}  // namespace sextant::npb::flow
