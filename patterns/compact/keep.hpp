// Compacts short chunks on the host, without branches that depend on the data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__AVX512F__)
  #include <immintrin.h>
#endif

#include "toolbox/host/streaming.hpp"

namespace sextant::compact {

inline constexpr std::int64_t stretch = 1024;

// Writes every element, but advances the output index only after kept ones. `kept` needs space for `count` +
// 1 elements. Returns the number of kept elements. `static` gives each variant its own copy, compiled with
// that variant's flags.
template <typename T>
static std::int64_t keep_branchless(std::int64_t count, const T* a, T* kept) {
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    kept[at] = a[i];
    at += a[i] >= 0;
  }
  return at;
}

#if defined(__AVX512F__)
// Loads 64 bytes and moves the non-negative elements to the front. `mask` receives one bit per element, 1 if
// it is kept.
static inline __m512i pressed(const float* a, unsigned* mask) {
  const __m512 v = _mm512_loadu_ps(a);
  *mask = _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_GE_OQ);
  return _mm512_castps_si512(_mm512_maskz_compress_ps(static_cast<__mmask16>(*mask), v));
}
static inline __m512i pressed(const double* a, unsigned* mask) {
  const __m512d v = _mm512_loadu_pd(a);
  *mask = _mm512_cmp_pd_mask(v, _mm512_setzero_pd(), _CMP_GE_OQ);
  return _mm512_castpd_si512(_mm512_maskz_compress_pd(static_cast<__mmask8>(*mask), v));
}
static inline __m512i pressed(const std::int32_t* a, unsigned* mask) {
  const __m512i v = _mm512_loadu_si512(a);
  *mask = _mm512_cmp_epi32_mask(v, _mm512_setzero_si512(), _MM_CMPINT_NLT);
  return _mm512_maskz_compress_epi32(static_cast<__mmask16>(*mask), v);
}

// Compacts with the vector instructions above. `kept` needs space for `count` elements and 64 more bytes.
template <typename T>
static std::int64_t keep_pressed(std::int64_t count, const T* a, T* kept) {
  constexpr std::int64_t width = 64 / static_cast<std::int64_t>(sizeof(T));
  std::int64_t at = 0, i = 0;
  for (; i + width <= count; i += width) {
    unsigned mask;
    const __m512i lanes = pressed(a + i, &mask);
    _mm512_storeu_si512(kept + at, lanes);
    at += __builtin_popcount(mask);
  }
  return at + keep_branchless(count - i, a + i, kept + at);
}
#endif

// Uses the fastest version for the instruction set that this file is compiled for.
template <typename T>
static std::int64_t keep(std::int64_t count, const T* a, T* kept) {
#if defined(__AVX512F__)
  return keep_pressed(count, a, kept);
#else
  return keep_branchless(count, a, kept);
#endif
}

struct Nothing {
  void operator()(std::int64_t) const {}
};

// Compacts `a` into `y` in chunks, through a buffer, so that nothing is written beyond the result. After the
// chunk that starts at element i, it calls beside(i). Returns the number of kept elements.
template <typename T, std::int64_t (*function)(std::int64_t, const T*, T*), typename Beside = Nothing>
static std::int64_t keep_all(std::int64_t count, const T* a, T* y, const Beside& beside = {}) {
  T buffer[stretch + 64 / sizeof(T)];
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < count; i += stretch) {
    const std::int64_t kept = function(std::min(stretch, count - i), a + i, buffer);
    std::memcpy(y + at, buffer, static_cast<std::size_t>(kept) * sizeof(T));
    at += kept;
    beside(i);
  }
  return at;
}

// The same as keep_all, but with stores that bypass the caches.
template <typename T, std::int64_t (*function)(std::int64_t, const T*, T*), typename Beside = Nothing>
static std::int64_t keep_all_past_caches(std::int64_t count, const T* a, T* y, const Beside& beside = {}) {
  StreamedRun<T, stretch> results(y);
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < count; i += stretch) {
    const std::int64_t kept = function(std::min(stretch, count - i), a + i, results.room());
    results.add(kept);
    at += kept;
    beside(i);
  }
  return at;
}

template <typename T>
static std::int64_t count_kept(std::int64_t count, const T* a) {
  std::int64_t kept = 0;
#pragma omp simd reduction(+ : kept)
  for (std::int64_t i = 0; i < count; ++i) kept += a[i] >= 0;
  return kept;
}

}  // namespace sextant::compact
