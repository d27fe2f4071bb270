#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using VectorLengths = Choices<32, 64, 128, 256>;
using Rows = Choices<2, 4, 6, 8>;

struct Gang {
  int vector_length = 128, rows_per_thread = 6;
};

// A column of `width` elements and `rows` rows a thread: all is loaded before anything is stored, so that the
// loads are under way together, and each row is loaded as another's upper, middle and lower neighbour only
// once.
template <typename T, int vector_length_, int rows, int width>
void sweep(std::int64_t n, const T* b, T* c) {
  const int bands = static_cast<int>((n + rows - 1) / rows);
  const int blocks = static_cast<int>((n + width * vector_length_ - 1) / (width * vector_length_));
  const int gangs = openacc::gangs_for(std::int64_t{bands} * blocks * vector_length_, vector_length_);
#pragma acc parallel loop gang(static : 1) vector collapse(3) present(b [0:n * n], c [0:n * n]) \
    vector_length(vector_length_) num_gangs(gangs)
  for (int band = 0; band < bands; ++band)
    for (int block = 0; block < blocks; ++block)
      for (int thread = 0; thread < vector_length_; ++thread) {
        const std::int64_t x = (std::int64_t{block} * vector_length_ + thread) * width,
                           top = std::int64_t{band} * rows;
        if (x >= n) continue;
        T column[rows + 2][width], left[rows], right[rows];
#pragma GCC unroll 16
        for (int k = 0; k < rows + 2; ++k) {
          std::int64_t y = top + k - 1;
          y = y < 0 ? 0 : y > n - 1 ? n - 1 : y;
          const T* at = b + y * n + x;
          openacc::load<width>(at, column[k]);
          if (k == 0 || k == rows + 1) continue;
          left[k - 1] = at[x > 0 ? -1 : 0];
          right[k - 1] = at[x + width < n ? width : 0];
        }
#pragma GCC unroll 16
        for (int k = 0; k < rows; ++k) {
          const std::int64_t y = top + k;
          if (y >= n) continue;
          T out[width];
#pragma GCC unroll 4
          for (int j = 0; j < width; ++j) {
            const T before = j > 0 ? column[k + 1][j - 1] : left[k];
            const T after = j < width - 1 ? column[k + 1][j + 1] : right[k];
            const bool border =
                y == 0 || y == n - 1 || (j == 0 && x == 0) || (j == width - 1 && x + width == n);
            out[j] = border ? column[k + 1][j]
                            : static_cast<T>(0.25) * ((before + after) + (column[k][j] + column[k + 2][j]));
          }
          openacc::store<width>(c + y * n + x, out);
        }
      }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto gang = call.tuned<Gang>();
  VectorLengths::with(gang.vector_length, [&]<int V>() {
    Rows::with(gang.rows_per_thread, [&]<int R>() {
      constexpr int width = openacc::pack_width<T>;
      if (n % width == 0)
        sweep<T, V, R, width>(n, call.array<const T>(0), call.array<T>(1));
      else  // rows start anywhere: plain accesses
        sweep<T, V, R, 1>(n, call.array<const T>(0), call.array<T>(1));
    });
  });
}

// Measured on an H200.
void adapt(const Problem& problem, Gang& gang) {
  const bool single = problem.type == ElementType::float32;
  const bool aligned =
      problem.extents.x % (single ? openacc::pack_width<float> : openacc::pack_width<double>) == 0;
  const bool small = problem.n < (std::int64_t{4} << 20);
  gang.vector_length = aligned || small ? 128 : 32;
  gang.rows_per_thread = !aligned ? (small ? 6 : 8) : single ? 4 : 6;
  if (!single && problem.n < 524'288) gang.rows_per_thread = 2;
}

}  // namespace

Variant stencil2d_4pt_openacc_packed() {
  Variant variant;
  variant.description = "a 16-byte column of several rows a thread, loaded once";
  variant.home = Home::openacc;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()},
                                     {"rows_per_thread", &Gang::rows_per_thread, Rows::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
