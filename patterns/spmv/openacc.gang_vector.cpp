#include "loop.hpp"
#include "matrix.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument, as GCC wants it constant.
template <int length, typename T>
void multiply(std::int64_t m, std::int64_t entries, const std::int32_t* row, const std::int32_t* col,
              const T* val, const T* x, T* y) {
#pragma acc parallel loop gang vector present(row [0:m + 1], col [0:entries], val [0:entries], x [0:m], \
                                              y [0:m]) vector_length(length)
  for (std::int64_t r = 0; r < m; ++r) {
    T sum = 0;
#pragma acc loop seq
    for (std::int64_t e = row[r]; e < row[r + 1]; ++e) sum += val[e] * x[col[e]];
    y[r] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    multiply<length>(spmv::rows_of(call.problem), spmv::entries_of(call.problem), a.row, a.col, a.val, a.x,
                     a.y);
  });
}

}  // namespace

Variant spmv_openacc_gang_vector() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: a row a thread";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
