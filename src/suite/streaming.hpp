// Stores that bypass the caches: a line that is written whole need not be read first, which saves a loop that
// is bound by memory one transfer per output element. Pays for outputs larger than the caches only.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
  #include <immintrin.h>
#endif
#if defined(_OPENMP)
  #include <omp.h>
#endif

namespace sextant {

inline constexpr std::int64_t line_bytes = 64;

// Writes one aligned line of 64 bytes; an ordinary copy where the processor at hand has no such store.
inline void stream_line(void* to, const void* from) {
#if defined(__AVX512F__)
  _mm512_stream_si512(static_cast<__m512i*>(to), _mm512_loadu_si512(from));
#elif defined(__AVX__)
  for (int i = 0; i < 2; ++i)
    _mm256_stream_si256(static_cast<__m256i*>(to) + i,
                        _mm256_loadu_si256(static_cast<const __m256i*>(from) + i));
#elif defined(__SSE2__)
  for (int i = 0; i < 4; ++i)
    _mm_stream_si128(static_cast<__m128i*>(to) + i, _mm_loadu_si128(static_cast<const __m128i*>(from) + i));
#else
  std::memcpy(to, from, line_bytes);
#endif
}

// Makes this thread's streamed lines visible before whatever it writes next.
inline void stream_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

struct NoPatch {
  template <typename T>
  void operator()(std::int64_t, std::int64_t, T*) const {}
};

// out[i] = value(i) for begin <= i < end: whole lines streamed, the ragged ends stored as usual. Where some
// elements are no value(i), patch(first, last, part) may overwrite them in part[0], the place of element
// `first`, up to `last` (exclusive); the parts come in ascending order.
template <typename T, typename Value, typename Patch = NoPatch>
inline void stream_range(std::int64_t begin, std::int64_t end, T* out, Value value, Patch patch = {}) {
  constexpr std::int64_t per_line = line_bytes / static_cast<std::int64_t>(sizeof(T));
  const auto misplaced =
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out + begin) % line_bytes);
  const std::int64_t aligned =
      begin + (line_bytes - misplaced) % line_bytes / static_cast<std::int64_t>(sizeof(T));
  std::int64_t i = aligned < end ? aligned : end;
  for (std::int64_t k = begin; k < i; ++k) out[k] = value(k);
  patch(begin, i, out + begin);
  for (; i + per_line <= end; i += per_line) {
    alignas(line_bytes) T line[per_line];
#pragma omp simd
    for (std::int64_t k = 0; k < per_line; ++k) line[k] = value(i + k);
    patch(i, i + per_line, line);
    stream_line(out + i, line);
  }
  for (std::int64_t k = i; k < end; ++k) out[k] = value(k);
  patch(i, end, out + i);
}

#if defined(_OPENMP)
// The same for begin <= i < end, an equal share for each thread; make_patch(first) gives the patch of a share
// that starts at `first`.
template <typename T, typename Value, typename MakePatch>
void stream_in_parallel(std::int64_t begin, std::int64_t end, T* out, Value value, MakePatch make_patch) {
  #pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const std::int64_t share = (end - begin) / threads, rest = (end - begin) % threads;
    const std::int64_t first = begin + thread * share + (thread < rest ? thread : rest);
    stream_range(first, first + share + (thread < rest ? 1 : 0), out, value, make_patch(first));
    stream_fence();
  }
}

template <typename T, typename Value>
void stream_in_parallel(std::int64_t begin, std::int64_t end, T* out, Value value) {
  stream_in_parallel(begin, end, out, value, [](std::int64_t) { return NoPatch{}; });
}
#endif

}  // namespace sextant
