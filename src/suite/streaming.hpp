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

// out[i] = value(i) for begin <= i < end: whole lines streamed, the ragged ends stored as usual.
template <typename T, typename Value>
inline void stream_range(std::int64_t begin, std::int64_t end, T* out, Value value) {
  constexpr std::int64_t per_line = line_bytes / static_cast<std::int64_t>(sizeof(T));
  std::int64_t i = begin;
  for (; i < end && reinterpret_cast<std::uintptr_t>(out + i) % line_bytes != 0; ++i) out[i] = value(i);
  for (; i + per_line <= end; i += per_line) {
    alignas(line_bytes) T line[per_line];
    for (std::int64_t k = 0; k < per_line; ++k) line[k] = value(i + k);
    stream_line(out + i, line);
  }
  for (; i < end; ++i) out[i] = value(i);
}

#if defined(_OPENMP)
// The same for 0 <= i < count, an equal share for each thread.
template <typename T, typename Value>
void stream_in_parallel(std::int64_t count, T* out, Value value) {
  #pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const std::int64_t share = count / threads, rest = count % threads;
    const std::int64_t begin = thread * share + (thread < rest ? thread : rest);
    stream_range(begin, begin + share + (thread < rest ? 1 : 0), out, value);
    stream_fence();
  }
}
#endif

}  // namespace sextant
