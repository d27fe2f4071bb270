// All threads share each row: for few long ones. A thread leaves what its part has, and takes in what all parts have.
#include <omp.h>

#include <vector>

#include "rows.hpp"

namespace sextant {
namespace {

// A variant's state: what each thread's part of a row has, of the row at hand and of the one before; a line of memory apart.
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
             ? "rows of less than 1024 elements, for each of which all threads would wait"
             : nullptr;
}

}  // namespace

Variant softmax_openmp_split_row() {
  Variant variant;
  variant.description =
      "all threads share each row: maximum and sum of parts in one reading, then the powers";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = refuse;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Parts*>(state); };
  return variant;
}

}  // namespace sextant
