#include "loop.hpp"
#include "suite/compilation.hpp"
#include "suite/variant.hpp"

#if defined(__AVX512F__)
  #include <immintrin.h>
#endif

namespace sextant {
namespace {

namespace vector_gather {

// Gathers as many elements as fill whole vectors and returns their number. It uses the masked intrinsic,
// because GCC 12 warns about its own unmasked one.
#if defined(__AVX512F__)
std::int64_t move(std::int64_t n, const std::int32_t* p, const float* a, float* y) {
  const std::int64_t whole = n / 16 * 16;
  for (std::int64_t i = 0; i < whole; i += 16)
    _mm512_storeu_ps(y + i,
                     _mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xFFFF, _mm512_loadu_si512(p + i), a, 4));
  return whole;
}
std::int64_t move(std::int64_t n, const std::int32_t* p, const double* a, double* y) {
  const std::int64_t whole = n / 8 * 8;
  for (std::int64_t i = 0; i < whole; i += 8) {
    const __m256i places = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + i));
    _mm512_storeu_pd(y + i, _mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xFF, places, a, 8));
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
  for (std::int64_t i = move(n, p, a, y); i < n; ++i) y[i] = a[p[i]];
}

Variant form() {
  Variant variant;
  variant.description = "AVX-512 gather instructions, one vector of indices at a time";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
#if !defined(__AVX512F__)
  variant.unavailable = [] {
    return "this processor, or the one that Sextant was built for, has no AVX-512";
  };
#endif
  return variant;
}

}  // namespace vector_gather

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(gather)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(gather::loop)},
      named("gather", vector_gather::form()),
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(gather::loop)},
  });
}

}  // namespace sextant
