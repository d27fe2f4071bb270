#include "loop.hpp"
#include "suite/compilation.hpp"
#include "suite/variant.hpp"

#if defined(__AVX512F__)
  #include <immintrin.h>
#endif

namespace sextant {
namespace {

namespace vector_scatter {

// Scatters whole vectors and returns the number of elements scattered.
#if defined(__AVX512F__)
std::int64_t move(std::int64_t n, const std::int32_t* p, const float* a, float* y) {
  const std::int64_t whole = n / 16 * 16;
  for (std::int64_t i = 0; i < whole; i += 16)
    _mm512_i32scatter_ps(y, _mm512_loadu_si512(p + i), _mm512_loadu_ps(a + i), 4);
  return whole;
}
std::int64_t move(std::int64_t n, const std::int32_t* p, const double* a, double* y) {
  const std::int64_t whole = n / 8 * 8;
  for (std::int64_t i = 0; i < whole; i += 8) {
    const __m256i places = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + i));
    _mm512_i32scatter_pd(y, places, _mm512_loadu_pd(a + i), 8);
  }
  return whole;
}
#else
template <typename T>
std::int64_t move(std::int64_t, const std::int32_t*, const T*, T*) {
  return 0;
}
#endif

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const std::int32_t* p = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  for (std::int64_t i = move(n, p, a, y); i < n; ++i) y[p[i]] = a[i];
}

Variant form() {
  Variant variant;
  variant.description = "AVX-512 scatter instruction: stores all elements of a vector at once";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
#if !defined(__AVX512F__)
  variant.unavailable = [] {
    return "this processor, or the one that Sextant was built for, has no AVX-512";
  };
#endif
  return variant;
}

}  // namespace vector_scatter

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(scatter)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(scatter::loop)},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(scatter::loop)},
      named("scatter", vector_scatter::form()),
  });
}

}  // namespace sextant
