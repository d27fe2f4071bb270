#include <omp.h>

#include <algorithm>

#include "loop.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/lane_sums.hpp"

namespace sextant {
namespace {

namespace dynamic {

struct Chunk {
  int rows = 1024;
};

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  const int rows = call.tuned<Chunk>().rows;
#pragma omp parallel for schedule(dynamic, rows)
  for (std::int64_t r = 0; r < call.problem.extents.x; ++r)
    a.y[r] = spmv::sum_of_entries(a, a.row[r], a.row[r + 1]);
}

}  // namespace dynamic

namespace merge {

// Each thread processes an equal slice of the merge path. A row may end in a later thread's slice; then its
// partial sum is added after a barrier.
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

}  // namespace merge

// Computes as many rows at once as a vector has lanes. The products of a row are summed into one vector; only
// rows of more than 16 nonzeros need a loop. Then the sums of all vectors are computed together.
namespace rows {

struct Chunk {
  int rows = 4096;
};

#if defined(__AVX512F__) && defined(__AVX512VL__)
constexpr std::int64_t mostly = 16;  // number of a row's nonzeros that are loaded without a branch

using Floats = typename Square<float>::Row;
using Doubles = typename Square<double>::Row;

inline Floats products(unsigned which, const std::int32_t* col, const float* val, const float* x) {
  const auto lanes = static_cast<__mmask16>(which);
  const __m512i places = _mm512_maskz_loadu_epi32(lanes, col);
  return reinterpret_cast<Floats>(_mm512_mul_ps(
      _mm512_maskz_loadu_ps(lanes, val), _mm512_mask_i32gather_ps(_mm512_setzero_ps(), lanes, places, x, 4)));
}
inline Doubles products(unsigned which, const std::int32_t* col, const double* val, const double* x) {
  const auto lanes = static_cast<__mmask8>(which);
  const __m256i places = _mm256_maskz_loadu_epi32(lanes, col);
  return reinterpret_cast<Doubles>(_mm512_mul_pd(
      _mm512_maskz_loadu_pd(lanes, val), _mm512_mask_i32gather_pd(_mm512_setzero_pd(), lanes, places, x, 8)));
}

template <typename T>
typename Square<T>::Row vector_of(const spmv::Arrays<T>& a, std::int64_t begin, std::int64_t count) {
  constexpr std::int64_t lanes = Square<T>::lanes;
  const std::int32_t* const col = a.col + begin;
  const T* const val = a.val + begin;
  auto sum = products(first_lanes<T>(count), col, val, a.x);
  if constexpr (mostly > lanes)
    sum += products(first_lanes<T>(count > lanes ? count - lanes : 0), col + lanes, val + lanes, a.x);
  for (std::int64_t at = mostly; at < count; at += lanes)
    sum += products(first_lanes<T>(count - at), col + at, val + at, a.x);
  return sum;
}

template <typename T>
void sum_some(const spmv::Arrays<T>& a, std::int64_t r) {
  using Row = typename Square<T>::Row;
  Square<T> parts;
  #pragma GCC unroll 16
  for (int k = 0; k < Square<T>::lanes; ++k)
    parts.rows[k] = vector_of(a, a.row[r + k], a.row[r + k + 1] - a.row[r + k]);
  *reinterpret_cast<Row*>(a.y + r) = sums_of_lanes(parts);
}
#else
template <typename T>
void sum_some(const spmv::Arrays<T>& a, std::int64_t r) {
  for (int k = 0; k < Square<T>::lanes; ++k)
    a.y[r + k] = spmv::sum_of_entries(a, a.row[r + k], a.row[r + k + 1]);
}
#endif

template <typename T>
void launch(const Call& call) {
  constexpr std::int64_t lanes = Square<T>::lanes;
  const spmv::Arrays<T> a(call);
  const std::int64_t m = call.problem.extents.x, groups = m / lanes;
  const std::int64_t share = std::max<std::int64_t>(1, groups / omp_get_max_threads()),
                     chunk = std::min<std::int64_t>(call.tuned<Chunk>().rows / lanes, share);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, chunk) nowait
    for (std::int64_t g = 0; g < groups; ++g) sum_some(a, g * lanes);
#pragma omp single nowait
    for (std::int64_t r = groups * lanes; r < m; ++r)
      a.y[r] = spmv::sum_of_entries(a, a.row[r], a.row[r + 1]);
  }
}

}  // namespace rows

namespace static_form {

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < call.problem.extents.x; ++r)
    a.y[r] = spmv::sum_of_entries(a, a.row[r], a.row[r + 1]);
}

}  // namespace static_form

}  // namespace

std::vector<Variant> spmv_openmp() {
  return {
      {.name = "dynamic",
       .description = "threads over rows, dynamic schedule",
       .tunables = tunables<dynamic::Chunk>({{"rows", &dynamic::Chunk::rows, {16, 64, 256, 1024, 4096}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(dynamic::launch)},
      {.name = "merge",
       .description = "merge path: equal nonzeros plus rows per thread; rows may span threads",
       .launch = SEXTANT_FLOAT_DOUBLE(merge::launch)},
      {.name = "rows",
       .description = "as many rows at a time as a vector has lanes; their sums are computed together",
       .tunables = tunables<rows::Chunk>({{"rows", &rows::Chunk::rows, {256, 1024, 4096, 16384}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(rows::launch)},
      {.name = "static",
       .description = "the plain form: threads over rows, static schedule; vectorized row sums",
       .launch = SEXTANT_FLOAT_DOUBLE(static_form::launch)},
  };
}

}  // namespace sextant
