#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using VectorLengths = Choices<32, 64, 128, 256>;

struct Gang {
  int vector_length = 128;
};

// A gang has a row; its threads walk along it together. The vector length is a template argument, as GCC wants it
// constant. The arrays are on the device already: present.
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

}  // namespace

Variant row_sums_openacc_rows() {
  Variant variant;
  variant.memory_space = MemorySpace::openacc;
  variant.description = "a gang a row, its threads along the row";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
