#include "blocks.hpp"
#include "loop.hpp"

namespace sextant {
namespace {

namespace blocked {

template <typename T>
void launch(const Call& call) {
  cholesky::factor<T>(call, [](std::int64_t begin, std::int64_t end, const auto& body) {
#pragma omp parallel for schedule(dynamic, 8)
    for (std::int64_t i = begin; i < end; ++i) body(i);
  });
}

}  // namespace blocked

namespace columns {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* l = call.array<T>(1);
  for (std::int64_t j = 0; j < n; ++j) {
    T square = a[j * n + j];
    for (std::int64_t k = 0; k < j; ++k) square -= l[j * n + k] * l[j * n + k];
    const T root = std::sqrt(square);
    l[j * n + j] = root;
    for (std::int64_t i = j + 1; i < n; ++i) l[j * n + i] = 0;
#pragma omp parallel for schedule(static)
    for (std::int64_t i = j + 1; i < n; ++i) {
      T sum = a[i * n + j];
      for (std::int64_t k = 0; k < j; ++k) sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = sum / root;
    }
  }
}

}  // namespace columns

}  // namespace

std::vector<Variant> cholesky_openmp() {
  return {
      {.name = "blocked",
       .description = "blocks of 64 columns; dynamic schedule over the rows below",
       .launch = SEXTANT_FLOAT_DOUBLE(blocked::launch)},
      {.name = "columns",
       .description = "the plain form: column by column, threads over rows",
       .launch = SEXTANT_FLOAT_DOUBLE(columns::launch)},
  };
}

}  // namespace sextant
