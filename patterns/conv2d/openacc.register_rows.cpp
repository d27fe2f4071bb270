// A thread goes down two columns of a part of the grid (slide.hpp), so that a
// value of x is read for two columns and as many rows of y as there are weights
// at once.
#include "loop.hpp"
#include "slide.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256>;
constexpr int columns = 2;

struct Strip {
  int vector_length = 64, rows = 32;
};

template <int R, int length, typename T>
void convolve(std::int64_t n, int rows, const T* x, const T* w, T* y) {
  constexpr int taps = (2 * R + 1) * (2 * R + 1);
  const std::int64_t count = n * n, across = (n + columns - 1) / columns,
                     strips = across * ((n + rows - 1) / rows);
#pragma acc parallel loop gang vector present(x [0:count], w [0:taps], y [0:count]) vector_length(length)
  for (std::int64_t strip = 0; strip < strips; ++strip) {
    const std::int64_t i = strip % across * columns, top = strip / across * rows,
                       bottom = top + rows < n ? top + rows : n;
    conv2d::Sums<R, columns, T> sums;
#pragma acc loop seq
    for (std::int64_t j = top - R; j < bottom + R; ++j) {
      T values[columns + 2 * R], done[columns];
#pragma GCC unroll 16
      for (int k = 0; k < columns + 2 * R; ++k) {
        const std::int64_t at = i + k - R;
        values[k] = j >= 0 && j < n && at >= 0 && at < n ? x[j * n + at] : T(0);
      }
      sums.add_row(values, w, done);
#pragma GCC unroll 2
      for (int c = 0; c < columns; ++c)
        if (j - R >= top && i + c < n) y[(j - R) * n + i + c] = done[c];
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto strip = call.tuned<Strip>();
  conv2d::Radii::with(static_cast<int>(conv2d::radius_of(call.problem)), [&]<int R>() {
    Lengths::with(strip.vector_length, [&]<int length>() {
      convolve<R, length>(call.problem.extents.x, strip.rows, call.array<const T>(0), call.array<const T>(1),
                          call.array<T>(2));
    });
  });
}

}  // namespace

Variant conv2d_openacc_register_rows() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description =
      "a thread goes down two columns, with the sums of the "
      "rows around it in registers";
  variant.tunables = tunables<Strip>(
      {{"vector_length", &Strip::vector_length, Lengths::list()}, {"rows", &Strip::rows, {8, 16, 32, 64}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
