#include <omp.h>

#include <vector>

#include "rows.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t rows = softmax::rows_of(call.problem), columns = softmax::columns_of(call.problem);
  const T* x = call.array<const T>(0);
  T* y = call.array<T>(1);
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < rows; ++r) softmax::three_passes(x + r * columns, columns, y + r * columns);
}

}  // namespace simd

// For few long rows: all threads share each row. Each thread publishes the maximum and sum of its slice of
// the row. After a barrier, each thread combines the values of all slices.
namespace split_row {

// The maximum and sum of each thread's slice. Two buffers alternate between rows. Each entry has its own
// cache line.
struct Parts {
  struct alignas(64) Line {
    double most = 0, sum = 0;
  };
  std::vector<Line> of_thread[2];
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t rows = softmax::rows_of(call.problem), columns = softmax::columns_of(call.problem);
  auto& parts = *static_cast<Parts*>(call.state);
#pragma omp parallel num_threads(static_cast <int>(parts.of_thread[0].size()))
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const auto begin_of = [=](std::int64_t t) {
      return columns / threads * t + columns % threads * t / threads;
    };
    const std::int64_t begin = begin_of(thread), count = begin_of(thread + 1) - begin;
    for (std::int64_t r = 0; r < rows; ++r) {
      auto& all = parts.of_thread[r % 2];
      const T* x = call.array<const T>(0) + r * columns + begin;
      softmax::Extent<T> row = {*(x - begin), 0};
      if (count > 0) row = softmax::extent_of(x, count);
      all[static_cast<std::size_t>(thread)] = {row.most, row.sum};
#pragma omp barrier
      row = {static_cast<T>(all[0].most), 0};
      for (std::int64_t t = 0; t < threads; ++t) {
        const auto& part = all[static_cast<std::size_t>(t)];
        row = softmax::joined(row, {static_cast<T>(part.most), static_cast<T>(part.sum)});
      }
      softmax::write_powers(x, count, row.most, 1 / row.sum, call.array<T>(1) + r * columns + begin);
    }
  }
}

const char* prepare(const Call&, void** state) {
  auto* parts = new Parts;
  for (auto& lines : parts->of_thread) lines.resize(static_cast<std::size_t>(omp_get_max_threads()));
  *state = parts;
  return nullptr;
}

const char* refuse(const Problem& problem, const int*) {
  return softmax::rows_of(problem) > 1 && softmax::columns_of(problem) < 1024
             ? "rows of less than 1024 elements are too short to divide among all threads"
             : nullptr;
}

}  // namespace split_row

// The exponentials of a row stay in the L1 cache until their sum is known. The results are then written in
// whole cache lines by non-temporal stores. Meanwhile, a later row is prefetched.
namespace streaming {

constexpr std::int64_t longest = 4096, piece = 256;

template <typename T>
void write_row(const T* x, std::int64_t count, std::int64_t ahead, T* y) {
  alignas(line_bytes) T powers[longest];
  constexpr std::int64_t line = line_bytes / static_cast<std::int64_t>(sizeof(T));
  const T most = softmax::largest(x, count);
  T sum = 0;
  for (std::int64_t c = 0; c < count; c += piece) {
    const std::int64_t end = std::min(count, c + piece);
    for (std::int64_t at = c; ahead != 0 && at < end; at += line) __builtin_prefetch(x + ahead + at);
#pragma omp simd reduction(+ : sum)
    for (std::int64_t at = c; at < end; ++at) {
      powers[at] = softmax::exponential(x[at] - most);
      sum += powers[at];
    }
  }
  const T factor = 1 / sum;
  stream_runs<1>(
      0, count, 0, y, [&powers, factor](std::int64_t c) { return factor * powers[c]; },
      [](std::int64_t) { return NoPatch{}; });
}

struct Rows {
  int prefetch_distance = 1;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t rows = softmax::rows_of(call.problem), columns = softmax::columns_of(call.problem);
  const T* x = call.array<const T>(0);
  T* y = call.array<T>(1);
  const std::int64_t ahead = call.tuned<Rows>().prefetch_distance * columns;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 8)
    for (std::int64_t r = 0; r < rows; ++r) write_row(x + r * columns, columns, ahead, y + r * columns);
    stream_fence();
  }
}

const char* refuse_long(const Problem& problem, const int*) {
  return softmax::columns_of(problem) > longest ? "rows of more than 4096 elements" : nullptr;
}

}  // namespace streaming

}  // namespace

std::vector<Variant> softmax_openmp() {
  return {
      {.name = "simd",
       .description = "threads over rows, three vectorized passes per row",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
      {.name = "split_row",
       .description = "all threads share each row, two passes: maximum and sum of slices, then the results",
       .launch = SEXTANT_FLOAT_DOUBLE(split_row::launch),
       .constraint = split_row::refuse,
       .prepare = split_row::prepare,
       .release = [](void* state) { delete static_cast<split_row::Parts*>(state); }},
      {.name = "streaming",
       .description = "threads over rows; results bypass the caches, later rows are prefetched",
       .tunables =
           tunables<streaming::Rows>({{"prefetch_distance", &streaming::Rows::prefetch_distance, {0, 1, 2}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(streaming::launch),
       .constraint = streaming::refuse_long,
       .for_large_arrays = true},
  };
}

}  // namespace sextant
