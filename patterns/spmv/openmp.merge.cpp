#include <omp.h>

#include "matrix.hpp"
#include "merge.hpp"
#include "row.hpp"

namespace sextant {
namespace {

// What a thread has of a row that a later one ends is added when that one has written its part.
template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  const std::int64_t m = spmv::rows_of(call.problem), entries = spmv::entries_of(call.problem),
                     path = m + entries;
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const auto place_of = [&](std::int64_t t) {
      return spmv::place_on_path(path / threads * t + path % threads * t / threads, m, entries, a.row + 1);
    };
    const auto first = place_of(thread), last = place_of(thread + 1);
    std::int64_t e = first.entries;
    for (std::int64_t r = first.rows; r < last.rows; ++r) {
      a.y[r] = spmv::sum_of_entries(a, e, a.row[r + 1]);
      e = a.row[r + 1];
    }
    const T rest = spmv::sum_of_entries(a, e, last.entries);
#pragma omp barrier
    if (e < last.entries)
#pragma omp atomic update
      a.y[last.rows] += rest;
  }
}

}  // namespace

Variant spmv_openmp_merge() {
  Variant variant;
  variant.description = "as many entries and rows together for each thread; rows may be shared";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
