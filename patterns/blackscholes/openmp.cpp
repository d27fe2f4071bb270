#include <omp.h>

#include <algorithm>

#include "host.hpp"
#include "loop.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

namespace polynomial {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const auto begin_of = [=](std::int64_t part) {
      return n / threads * part + n % threads * part / threads;
    };
    blackscholes::price_part<T>(call, begin_of(thread), begin_of(thread + 1));
  }
}

}  // namespace polynomial

namespace simd {

template <typename T>
void launch(const Call& call) {
  const T *p = call.array<const T>(0), *k = call.array<const T>(1), *t = call.array<const T>(2);
  T *calls = call.array<T>(3), *puts = call.array<T>(4);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) {
    const blackscholes::Prices<T> prices = blackscholes::prices_by_library(p[i], k[i], t[i]);
    calls[i] = prices.call;
    puts[i] = prices.put;
  }
}

}  // namespace simd

// Prices `some` options at a time into a buffer in the L1 cache. Then it writes the buffer in whole cache
// lines with stores that bypass the caches.
namespace streaming {

// `some`: options per buffer; `most`: largest chunk of options that a thread takes at a time.
constexpr std::int64_t some = 256, most = 64 * some;

template <typename T>
struct Kept {
  alignas(line_bytes) T calls[some], puts[some];
};

template <typename T>
void write(const T* kept, std::int64_t first, std::int64_t end, T* out) {
  stream_runs<1>(
      first, end, 0, out, [=](std::int64_t i) { return kept[i - first]; },
      [](std::int64_t) { return NoPatch{}; });
}

template <typename T>
void price(const Call& call, std::int64_t first, std::int64_t end, Kept<T>& kept) {
  const T *p = call.array<const T>(0), *k = call.array<const T>(1), *t = call.array<const T>(2);
#pragma omp simd
  for (std::int64_t i = first; i < end; ++i) {
    const blackscholes::Prices<T> both = blackscholes::prices<blackscholes::Arithmetic>(p[i], k[i], t[i]);
    kept.calls[i - first] = both.call;
    kept.puts[i - first] = both.put;
  }
  write(kept.calls, first, end, call.array<T>(3));
  write(kept.puts, first, end, call.array<T>(4));
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
#pragma omp parallel
  {
    Kept<T> kept;
#pragma omp for schedule(dynamic)
    for (std::int64_t first = 0; first < n; first += most)
      for (std::int64_t at = first; at < std::min(n, first + most); at += some)
        price(call, at, std::min({n, first + most, at + some}), kept);
    stream_fence();
  }
}

}  // namespace streaming

}  // namespace

std::vector<Variant> blackscholes_openmp() {
  return {
      {.name = "polynomial",
       .description = "threads and SIMD, polynomials in place of math library functions",
       .launch = SEXTANT_FLOAT_DOUBLE(polynomial::launch)},
      {.name = "simd",
       .description = "threads and SIMD, math library functions, which take one value at a time",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
      {.name = "streaming",
       .description = "as polynomial, but threads take chunks dynamically and stores bypass the caches",
       .launch = SEXTANT_FLOAT_DOUBLE(streaming::launch),
       .for_large_arrays = true},
  };
}

}  // namespace sextant
