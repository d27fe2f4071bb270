#include "rows.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Lanes = Choices<32, 64, 128, 256>;
using Rows = Choices<1, 2, 4>;

struct Shape {
  int threads_per_row = 128;
  int rows = 4;  // neighbouring ones of the same threads
};

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
  const auto shape = call.tuned<Shape>();
  Lanes::with(shape.threads_per_row, [&]<int lanes>() {
    Rows::with(shape.rows, [&]<int rows>() {
      if (call.problem.extents.x % pack<T> == 0)
        launch_rows<T, pack<T>, lanes, rows>(call);
      else
        launch_rows<T, 1, lanes, rows>(call);
    });
  });
}

// Measured on an H200 (docs/kernels/reduction-and-matrix.md).
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t n = problem.extents.x;
  const bool is_float = problem.type == ElementType::float32;
  const bool aligned = n % (is_float ? pack<float> : pack<double>) == 0;
  if (n <= 128)
    shape = {32, 1};
  else if (aligned && n <= 700)
    shape = is_float ? Shape{32, 1} : Shape{128, 1};
  else if (aligned)
    shape = n <= 5000 ? Shape{128, 4} : Shape{256, 4};
  else if (is_float)
    shape = n <= 4500 ? Shape{64, 1} : n <= 10000 ? Shape{128, 1} : Shape{256, 1};
  else
    shape = n <= 10000 ? Shape{128, 2} : Shape{256, 2};
}

}  // namespace

Variant matvec_cuda_rows() {
  Variant variant;
  variant.description = "warps along rows, x shared by neighbouring rows, dot products end in shuffles";
  variant.home = Home::cuda;
  variant.tunables = tunables<Shape>(
      {{"threads_per_row", &Shape::threads_per_row, Lanes::list()}, {"rows", &Shape::rows, Rows::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.adapt = by_name<adapt>;
  return variant;
}

}  // namespace sextant
