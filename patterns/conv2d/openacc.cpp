#include "loop.hpp"
#include "slide.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

namespace collapse {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument because GCC requires a constant.
template <int length, typename Index, typename T>
void convolve(Index n, int R, const T* x, const T* w, T* y) {
  const std::int64_t count = std::int64_t{n} * n, taps = std::int64_t{2 * R + 1} * (2 * R + 1);
#pragma acc parallel loop gang vector collapse(2) present(x [0:count], w [0:taps], y [0:count]) \
    vector_length(length)
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      T sum = 0;
#pragma acc loop seq
      for (int b = -R; b <= R; ++b)
#pragma acc loop seq
        for (int a = -R; a <= R; ++a)
          if (j + b >= 0 && j + b < n && i + a >= 0 && i + a < n)
            sum += w[(b + R) * (2 * R + 1) + a + R] * x[std::int64_t{j + b} * n + i + a];
      y[std::int64_t{j} * n + i] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
      convolve<length>(static_cast<Index>(call.problem.extents.x),
                       static_cast<int>(conv2d::radius_of(call.problem)), call.array<const T>(0),
                       call.array<const T>(1), call.array<T>(2));
    });
  });
}

}  // namespace collapse

// A thread moves down a strip in the columns of one 16-byte pack (slide.hpp). It reads each row in packs, or
// element by element if rows are not multiples of 16 bytes. The next row is loaded while the current row is
// added. Up to 49 weights stay in registers.
namespace packs {

using Lengths = Choices<32, 64, 128>;
constexpr int most_kept = 49;  // weights are kept in registers if there are at most this many

struct Strip {
  int vector_length = 128, rows = 128;
};

// Loads `packs` 16-byte packs of row j, centred on the pack at column i, with zeros outside the grid. `whole`
// means that rows are multiples of 16 bytes.
template <int packs, bool whole, typename T>
SEXTANT_INLINE void load_row(std::int64_t n, std::int64_t j, std::int64_t i, const T* x, T* values) {
  constexpr int width = openacc::pack_width<T>;
  if constexpr (whole) {
#pragma GCC unroll 16
    for (int p = 0; p < packs; ++p) {
      const std::int64_t at = i + (p - packs / 2) * width;
      if (j >= 0 && j < n && at >= 0 && at < n)
        openacc::load_pack(x + j * n + at, values + p * width);
      else
#pragma GCC unroll 4
        for (int e = 0; e < width; ++e) values[p * width + e] = T(0);
    }
  } else {
    const std::int64_t first = i - packs / 2 * width;
    const T* const row = x + j * n + first;
    if (j >= 0 && j < n && first >= 0 && first + packs * width <= n) {
#pragma GCC unroll 64
      for (int k = 0; k < packs * width; ++k) values[k] = row[k];
    } else {
#pragma GCC unroll 64
      for (int k = 0; k < packs * width; ++k)
        values[k] = j >= 0 && j < n && first + k >= 0 && first + k < n ? row[k] : T(0);
    }
  }
}

template <int R, int length, bool whole, typename T>
void convolve(std::int64_t n, int rows, const T* x, const T* w, T* y) {
  constexpr int width = openacc::pack_width<T>, taps = (2 * R + 1) * (2 * R + 1),
                margin = (R + width - 1) / width, packs = 2 * margin + 1, kept = taps <= most_kept ? taps : 1;
  const std::int64_t count = n * n, across = (n + width - 1) / width,
                     strips = across * ((n + rows - 1) / rows);
#pragma acc parallel loop gang vector present(x [0:count], w [0:taps], y [0:count]) vector_length(length)
  for (std::int64_t strip = 0; strip < strips; ++strip) {
    const std::int64_t i = strip % across * width, top = strip / across * rows,
                       bottom = top + rows < n ? top + rows : n;
    conv2d::Sums<R, width, T> sums;
    T weights[kept];
#pragma GCC unroll 64
    for (int k = 0; k < kept; ++k) weights[k] = w[k];
    T values[packs * width];
    load_row<packs, whole>(n, top - R, i, x, values);
#pragma acc loop seq
    for (std::int64_t j = top - R; j < bottom + R; ++j) {
      T next[packs * width], done[width];
      load_row<packs, whole>(n, j + 1, i, x, next);
      sums.add_row(values + margin * width - R, kept == taps ? weights : w, done);
      if (j - R >= top) {
        T* const to = y + (j - R) * n + i;
        if constexpr (whole)
          openacc::store_pack(to, done);
        else
#pragma GCC unroll 4
          for (int c = 0; c < width; ++c)
            if (i + c < n) to[c] = done[c];
      }
#pragma GCC unroll 32
      for (int k = 0; k < packs * width; ++k) values[k] = next[k];
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto strip = call.tuned<Strip>();
  conv2d::Radii::with(static_cast<int>(conv2d::radius_of(call.problem)), [&]<int R>() {
    Lengths::with(strip.vector_length, [&]<int length>() {
      const auto go = [&]<bool whole>() {
        convolve<R, length, whole>(call.problem.extents.x, strip.rows, call.array<const T>(0),
                                   call.array<const T>(1), call.array<T>(2));
      };
      call.problem.extents.x % openacc::pack_width<T> == 0 ? go.template operator()<true>()
                                                           : go.template operator()<false>();
    });
  });
}

// Makes strips as tall as possible while enough threads remain for an H200's 132 multiprocessors. Taller
// strips read less, because each strip also reads 2R rows of its neighbours.
void adapt(const Problem& problem, Strip& strip) {
  const std::int64_t n = problem.extents.x,
                     across = n * static_cast<std::int64_t>(element_size(problem.type)) / 16;
  while (strip.rows > 16 && across * (n / strip.rows) < 32768) strip.rows /= 2;
}

}  // namespace packs

// A thread moves down a strip, two columns wide (slide.hpp). Each value of x that it loads serves both
// columns and all rows of y that need it.
namespace register_rows {

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

}  // namespace register_rows

}  // namespace

std::vector<Variant> conv2d_openacc() {
  return {
      {.name = "collapse",
       .description = "the plain form: collapse(2) over the points, a loop over the weights",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<collapse::Gang>({{"vector_length", &collapse::Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(collapse::launch)},
      {.name = "packs",
       .description = "each thread moves down the columns of one 16-byte pack and loads the next row ahead",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<packs::Strip>({{"vector_length", &packs::Strip::vector_length, packs::Lengths::list()},
                                   {"rows", &packs::Strip::rows, {16, 32, 64, 128, 256}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(packs::launch),
       .adapt = by_name<packs::adapt>},
      {.name = "register_rows",
       .description = "each thread moves down two columns with partial sums in registers",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<register_rows::Strip>(
           {{"vector_length", &register_rows::Strip::vector_length, register_rows::Lengths::list()},
            {"rows", &register_rows::Strip::rows, {8, 16, 32, 64}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(register_rows::launch)},
  };
}

}  // namespace sextant
