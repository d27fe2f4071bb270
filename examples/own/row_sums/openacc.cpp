#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

namespace rows {

using VectorLengths = Choices<32, 64, 128, 256>;

struct Gang {
  int vector_length = 128;
};

// Each gang sums a row with all its threads. The vector length is a template argument, because GCC requires a
// constant. The arrays are already on the device: present.
template <typename T, int length>
void sum_rows(std::int64_t w, std::int64_t h, const T* a, T* s) {
#pragma acc parallel loop gang present(a [0:w * h], s [0:h]) vector_length(length)
  for (std::int64_t y = 0; y < h; ++y) {
    T sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (std::int64_t x = 0; x < w; ++x) sum += a[y * w + x];
    s[y] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    sum_rows<T, length>(call.problem.extents.x, call.problem.extents.y, call.array<const T>(0),
                        call.array<T>(1));
  });
}

}  // namespace rows

namespace walk {

// Each thread sums a row, so neighbouring threads read elements that are a row apart.
template <typename T>
void launch(const Call& call) {
  const std::int64_t w = call.problem.extents.x, h = call.problem.extents.y;
  const T* a = call.array<const T>(0);
  T* s = call.array<T>(1);
#pragma acc parallel loop gang vector present(a [0:w * h], s [0:h])
  for (std::int64_t y = 0; y < h; ++y) {
    T sum = 0;
#pragma acc loop seq
    for (std::int64_t x = 0; x < w; ++x) sum += a[y * w + x];
    s[y] = sum;
  }
}

}  // namespace walk

}  // namespace

std::vector<Variant> row_sums_openacc() {
  return {
      {.name = "rows",
       .description = "a gang a row, its threads along the row",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<rows::Gang>({{"vector_length", &rows::Gang::vector_length, rows::VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(rows::launch)},
      {.name = "walk",
       .description = "a thread a row",
       .memory_space = MemorySpace::openacc,
       .launch = SEXTANT_FLOAT_DOUBLE(walk::launch)},
  };
}

}  // namespace sextant
