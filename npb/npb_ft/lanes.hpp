// SIMD vectors for NAS FT on the host, and their loads and stores of complex numbers. Everything has internal
// linkage, because each including file is compiled with its own compiler flags.
#pragma once

#include <array>
#include <cstring>
#include <utility>

#include "problem.hpp"
#include "toolbox/butterfly.hpp"
#include "toolbox/host/streaming.hpp"
#include "toolbox/host/vector_bytes.hpp"

namespace sextant::npb_ft {
namespace {

constexpr int lanes = vector_bytes / static_cast<int>(sizeof(double));
using Packed = double __attribute__((vector_size(lanes * sizeof(double))));

template <typename V>
constexpr int width = sizeof(V) / sizeof(double);

template <typename V>
SEXTANT_FLAT V load_vector(const double* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <typename V>
SEXTANT_FLAT void store_vector(double* to, V v) {
  std::memcpy(to, &v, sizeof v);
}

// Returns elements first, first + 2, … of the concatenation of two vectors. `interleaved` is the inverse.
template <int first, std::size_t... i>
SEXTANT_FLAT Packed every_second(Packed a, Packed b, std::index_sequence<i...>) {
  return __builtin_shufflevector(a, b, (2 * static_cast<int>(i) + first)...);
}
template <int first, std::size_t... i>
SEXTANT_FLAT Packed interleaved(Packed a, Packed b, std::index_sequence<i...>) {
  return __builtin_shufflevector(a, b, ((static_cast<int>(i) + first) / 2 + (i % 2 ? lanes : 0))...);
}
using Each = std::make_index_sequence<lanes>;

SEXTANT_FLAT void load_complex(const Complex* from, Packed& re, Packed& im) {
  const auto* p = reinterpret_cast<const double*>(from);
  const auto a = load_vector<Packed>(p), b = load_vector<Packed>(p + lanes);
  re = every_second<0>(a, b, Each());
  im = every_second<1>(a, b, Each());
}
SEXTANT_FLAT void load_complex(const Complex* from, double& re, double& im) { re = from->re, im = from->im; }

template <bool streaming>
SEXTANT_FLAT void store_complex(Complex* to, Packed re, Packed im) {
  auto* p = reinterpret_cast<double*>(to);
  const Packed parts[2] = {interleaved<0>(re, im, Each()), interleaved<lanes>(re, im, Each())};
  if constexpr (streaming && sizeof parts >= line_bytes) {
    for (std::size_t byte = 0; byte < sizeof parts; byte += line_bytes)
      stream_line(reinterpret_cast<char*>(p) + byte, reinterpret_cast<const char*>(parts) + byte);
  } else {
    store_vector(p, parts[0]);
    store_vector(p + lanes, parts[1]);
  }
}
template <bool>
SEXTANT_FLAT void store_complex(Complex* to, double re, double im) {
  *to = {re, im};
}

// A buffer of complex numbers that stores real and imaginary parts separately.
struct Split {
  double *re, *im;

  template <typename V>
  SEXTANT_FLAT void load(std::int64_t at, V& a, V& b) const {
    a = load_vector<V>(re + at);
    b = load_vector<V>(im + at);
  }
  template <typename V>
  SEXTANT_FLAT void store(std::int64_t at, V a, V b) const {
    store_vector(re + at, a);
    store_vector(im + at, b);
  }
};

// A panel: adjacent columns of a field. Element p of the panel is in row p / columns and column p % columns.
template <bool streaming>
struct Panel {
  Complex* first;
  std::int64_t row_stride;
  int column_bits;  // log2 of the number of columns

  SEXTANT_FLAT Complex* at(std::int64_t position) const {
    const std::int64_t row = position >> column_bits;
    return first + row * row_stride + (position - (row << column_bits));
  }
  template <typename V>
  SEXTANT_FLAT void load(std::int64_t position, V& re, V& im) const {
    load_complex(at(position), re, im);
  }
  template <typename V>
  SEXTANT_FLAT void store(std::int64_t position, V re, V im) const {
    store_complex<streaming>(at(position), re, im);
  }
};

// A panel of U whose loads multiply by the decay factors of the row and the column. They also swap real and
// imaginary parts.
struct EvolvedPanel {
  Panel<false> panel;
  const double* of_row;
  const double* of_column;

  template <typename V>
  SEXTANT_FLAT void load(std::int64_t position, V& re, V& im) const {
    panel.load(position, im, re);
    const std::int64_t row = position >> panel.column_bits;
    const V factor = of_row[row] * load_vector<V>(of_column + (position - (row << panel.column_bits)));
    re *= factor;
    im *= factor;
  }
};

// A contiguous line of a field. If `exchanged`, loads swap real and imaginary parts.
template <bool exchanged>
struct Line {
  Complex* first;

  template <typename V>
  SEXTANT_FLAT void load(std::int64_t position, V& re, V& im) const {
    load_complex(first + position, exchanged ? im : re, exchanged ? re : im);
  }
  template <typename V>
  SEXTANT_FLAT void store(std::int64_t position, V re, V im) const {
    store_complex<false>(first + position, re, im);
  }
};

// Transposes a square matrix of `lanes` rows, one exchange of halves at a time.
template <int half, bool upper, std::size_t... i>
SEXTANT_FLAT Packed exchanged(Packed a, Packed b, std::index_sequence<i...>) {
  constexpr auto source = [](int lane) {
    const bool second = (lane & half) != 0;
    return upper ? (second ? lanes + lane : lane + half) : (second ? lanes + lane - half : lane);
  };
  return __builtin_shufflevector(a, b, source(static_cast<int>(i))...);
}
template <int half = 1>
SEXTANT_FLAT void transpose(Packed* rows) {
  if constexpr (half < lanes) {
    SEXTANT_UNROLL
    for (int i = 0; i < lanes; ++i) {
      if (i & half) continue;
      const Packed a = rows[i], b = rows[i + half];
      rows[i] = exchanged<half, false>(a, b, Each());
      rows[i + half] = exchanged<half, true>(a, b, Each());
    }
    transpose<2 * half>(rows);
  }
}

}  // namespace
}  // namespace sextant::npb_ft
