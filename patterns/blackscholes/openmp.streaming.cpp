// sizes: large
// Some options at a time, whose prices the nearest cache keeps until they go to memory in whole lines that bypass the caches.
#include <algorithm>

#include "host.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

constexpr std::int64_t some = 256, most = 64 * some;  // options: at once, and that a thread takes

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

}  // namespace

Variant blackscholes_openmp_streaming() {
  Variant variant;
  variant.description =
      "threads take some options when they are done with theirs; in the lanes of vectors, stores past the caches";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
