// Stores that bypass the caches (non-temporal stores). Unlike an ordinary store, a streaming store of a whole
// cache line does not read the line first. It pays only for outputs larger than the caches.
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

// Writes one aligned line of 64 bytes. Without streaming stores in the processor, this is an ordinary copy.
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

// Makes the lines that this thread has streamed visible to other threads before its later stores.
inline void stream_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

// A patch that overwrites nothing; see stream_runs.
struct NoPatch {
  template <typename T>
  void operator()(std::int64_t, std::int64_t, T*) const {}
};

// Returns the first index at or after `i` whose element starts a cache line (64 bytes).
template <typename T>
std::int64_t line_start(const T* array, std::int64_t i) {
  const auto beyond = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(array + i) % line_bytes);
  return i + (line_bytes - beyond) % line_bytes / static_cast<std::int64_t>(sizeof(T));
}

// Computes out[i] = value(i) for begin <= i < end, and for runs - 1 further ranges (runs), each `stride`
// elements after the previous one. All runs advance together, so that shared inputs are read once. Whole
// cache lines are streamed; the unaligned ends are stored normally.
//
// A patch overwrites elements whose value is not value(i). make_patch(first) returns the patch of the run
// that starts at `first`. It is called as patch(from, to, part) for ascending ranges of the run; part[0] is
// element `from`.
template <int runs, typename T, typename Value, typename MakePatch>
void stream_runs(std::int64_t begin, std::int64_t end, std::int64_t stride, T* out, Value value,
                 MakePatch make_patch) {
  constexpr std::int64_t per_line = line_bytes / static_cast<std::int64_t>(sizeof(T));
  decltype(make_patch(begin)) patches[runs];
  std::int64_t at[runs], lines = (end - begin) / per_line;
  const auto store = [&](int run, std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; ++i) out[i] = value(i);
    patches[run](from, to, out + from);
  };
  for (int run = 0; run < runs; ++run) {
    const std::int64_t first = begin + run * stride, last = end + run * stride,
                       start = line_start(out, first);
    patches[run] = make_patch(first);
    at[run] = start < last ? start : last;
    store(run, first, at[run]);
    const std::int64_t whole = (last - at[run]) / per_line;
    lines = whole < lines ? whole : lines;
  }
  for (std::int64_t k = 0; k < lines; ++k)
#pragma GCC unroll 8
    for (int run = 0; run < runs; ++run) {
      alignas(line_bytes) T line[per_line];
      const std::int64_t first = at[run] + k * per_line;
#pragma omp simd
      for (std::int64_t i = 0; i < per_line; ++i) line[i] = value(first + i);
      patches[run](first, first + per_line, line);
      stream_line(out + first, line);
    }
  for (int run = 0; run < runs; ++run) store(run, at[run] + lines * per_line, end + run * stride);
}

// Like stream_runs, but with ordinary stores and without patches.
template <int runs, typename T, typename Value>
void store_runs(std::int64_t begin, std::int64_t end, std::int64_t stride, T* out, Value value) {
#pragma omp simd
  for (std::int64_t i = begin; i < end; ++i)
#pragma GCC unroll 8
    for (int run = 0; run < runs; ++run) out[i + run * stride] = value(i + run * stride);
}

// Writes a sequence of elements from address `to` on, at most `most` per call of `add`. Whole cache lines are
// streamed; the unaligned ends are stored normally.
template <typename T, std::int64_t most>
class StreamedRun {
 public:
  explicit StreamedRun(T* to) : to_(to) {}
  // Returns the address to which the caller writes elements before it calls `add`. The buffer has room for
  // `most` elements and one more cache line.
  T* room() { return left_ + count_; }
  void add(std::int64_t count) {
    count_ += count;
    const std::int64_t before = line_start(to_, 0);
    std::int64_t at = before < count_ ? before : count_;
    std::memcpy(to_, left_, static_cast<std::size_t>(at) * sizeof(T));
    for (; at + per_line <= count_; at += per_line) stream_line(to_ + at, left_ + at);
    count_ -= at;
    std::memmove(left_, left_ + at, static_cast<std::size_t>(count_) * sizeof(T));
    to_ += at;
  }
  ~StreamedRun() {
    std::memcpy(to_, left_, static_cast<std::size_t>(count_) * sizeof(T));
    stream_fence();
  }
  StreamedRun(const StreamedRun&) = delete;
  StreamedRun& operator=(const StreamedRun&) = delete;

 private:
  static constexpr std::int64_t per_line = line_bytes / static_cast<std::int64_t>(sizeof(T));
  T* to_;
  std::int64_t count_ = 0;  // number of elements in left_ that are not written yet
  alignas(line_bytes) T left_[most + 2 * per_line];
};

#if defined(_OPENMP)
// Computes out[i] = value(i) for begin <= i < end with streaming stores. Each thread computes an equal
// contiguous chunk.
template <typename T, typename Value>
void stream_in_parallel(std::int64_t begin, std::int64_t end, T* out, Value value) {
  #pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const std::int64_t share = (end - begin) / threads, rest = (end - begin) % threads;
    const std::int64_t first = begin + thread * share + (thread < rest ? thread : rest);
    const std::int64_t last = first + share + (thread < rest ? 1 : 0);
    stream_runs<1>(first, last, 0, out, value, [](std::int64_t) { return NoPatch{}; });
    stream_fence();
  }
}
#endif

}  // namespace sextant
