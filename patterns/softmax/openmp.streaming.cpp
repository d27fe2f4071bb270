// sizes: large
// A row's powers stay in the nearest cache until their sum is known, then go to memory in whole lines that bypass the caches. While they are computed, the
// row after the next is on its way.
#include "rows.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

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
  int ahead = 1;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t rows = softmax::rows_of(call.problem), columns = softmax::columns_of(call.problem);
  const T* x = call.array<const T>(0);
  T* y = call.array<T>(1);
  const std::int64_t ahead = call.tuned<Rows>().ahead * columns;
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

}  // namespace

Variant softmax_openmp_streaming() {
  Variant variant;
  variant.description = "threads over rows, whose results bypass the caches";
  variant.tunables = tunables<Rows>({{"ahead", &Rows::ahead, {0, 1, 2}}});
  variant.constraint = refuse_long;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
