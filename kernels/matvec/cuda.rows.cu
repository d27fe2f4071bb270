#include "rows.cuh"
#include "suite/choices.hpp"
#include "suite/variant.hpp"

namespace sextant {
namespace {

using Lanes = Choices<32, 64, 128, 256>;
using Rows = Choices<1, 2, 4>;

template <typename T, int width, int lanes, int rows>
void launch_rows(const Call& call) {
  constexpr int block = lanes < 128 ? 128 : lanes;
  constexpr int unroll = rows == 4 && lanes < 256 ? 2 : 4;
  constexpr int rows_per_block = block / lanes * rows;
  const std::int64_t n = call.problem.extents.x;
  const auto grid = static_cast<unsigned>((n + rows_per_block - 1) / rows_per_block);
  matvec::rows_kernel<T, width, lanes, rows, unroll, block>
      <<<grid, block, 0, static_cast<cudaStream_t>(call.stream)>>>(n, call.array<const T>(0),
                                                                   call.array<const T>(1), call.array<T>(2));
}

// 16-byte loads where every row starts on a 16-byte boundary.
template <typename T>
constexpr int pack = 16 / sizeof(T);

template <typename T>
void launch(const Call& call) {
  Lanes::with(call.tuning[0], [&]<int lanes>() {
    Rows::with(call.tuning[1], [&]<int rows>() {
      if (call.problem.extents.x % pack<T> == 0)
        launch_rows<T, pack<T>, lanes, rows>(call);
      else
        launch_rows<T, 1, lanes, rows>(call);
    });
  });
}

// Measured on an H200 (docs/kernels/reduction-and-matrix.md).
void adapt(const Problem& problem, int* tuning) {
  const std::int64_t n = problem.extents.x;
  const bool is_float = problem.type == ElementType::float32;
  const auto set = [tuning](int lanes, int rows) {
    tuning[0] = lanes;
    tuning[1] = rows;
  };
  if (n <= 128)
    set(32, 1);
  else if (n % (is_float ? 4 : 2) == 0) {
    if (n <= 700)
      is_float ? set(32, 1) : set(128, 1);
    else if (n <= 5000)
      set(128, 4);
    else
      set(256, 4);
  } else if (is_float) {
    if (n <= 4500)
      set(64, 1);
    else if (n <= 10000)
      set(128, 1);
    else
      set(256, 1);
  } else {
    n <= 10000 ? set(128, 2) : set(256, 2);
  }
}

}  // namespace

Variant matvec_cuda_rows() {
  Variant variant;
  variant.description = "warps along rows, x shared by neighbouring rows, dot products end in shuffles";
  variant.home = Home::cuda;
  variant.tunables = {{"threads_per_row", Lanes::list(), 128}, {"rows", Rows::list(), 4}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.adapt = adapt;
  return variant;
}

}  // namespace sextant
