// In-place FFT for the OpenMP offload variants, with passes of radix 2, 4 or 8. A pass is one target region
// over butterflies; adjacent iterations have adjacent x. The forward transform leaves U in digit-reversed
// order, and the inverse transform starts from that order. Its first pass, along z, reads U, multiplies by
// the decay factors and writes w.
//
// A file that includes this header must define:
// - `most_bits`, log2 of the largest radix;
// - SEXTANT_TARGET, the target construct, to which maps are added;
// - SEXTANT_LOOP, the loop construct, which may use `teams`;
// - SEXTANT_FORM, a unique namespace. Clang names regions by file, function and line, so two variants need
//   different namespaces.
//
// Butterflies use scalars only, because GCC 12 lets all lanes of a simd loop share an indexed array
// (docs/reference/target.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "problem.hpp"
#include "suite/choices.hpp"
#include "suite/variant.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/target/teams.hpp"

#define SEXTANT_PRAGMA(text) _Pragma(#text)
#define SEXTANT_REGION(...) SEXTANT_PRAGMA(omp __VA_ARGS__)

namespace sextant::npb_ft {
inline namespace SEXTANT_FORM {

// ---- butterflies: y[k] = sum of x[j] exp(-2 pi i j k / radix) ----

SEXTANT_INLINE Complex sum_of(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
SEXTANT_INLINE Complex difference(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
SEXTANT_INLINE Complex times_minus_i(Complex a) { return {a.im, -a.re}; }
SEXTANT_INLINE Complex scaled(Complex a, double factor) { return {a.re * factor, a.im * factor}; }
// Returns a * (c - i s).
SEXTANT_INLINE Complex turned(Complex a, Complex by) {
  return {a.re * by.re + a.im * by.im, a.im * by.re - a.re * by.im};
}

struct Four {
  Complex a, b, c, d;
};

SEXTANT_INLINE Four butterfly_4(Complex a, Complex b, Complex c, Complex d) {
  const Complex even = sum_of(a, c), odd = difference(a, c), cross = sum_of(b, d),
                other = times_minus_i(difference(b, d));
  return {sum_of(even, cross), sum_of(odd, other), difference(even, cross), difference(odd, other)};
}

inline constexpr double half_root = 0.70710678118654752;  // cos(pi / 4)

struct Eight {
  Four low, high;
};

SEXTANT_INLINE Eight butterfly_8(Four even_in, Four odd_in) {
  const Four even = butterfly_4(even_in.a, even_in.b, even_in.c, even_in.d);
  const Four odd = butterfly_4(odd_in.a, odd_in.b, odd_in.c, odd_in.d);
  const Complex b = scaled(Complex{odd.b.re + odd.b.im, odd.b.im - odd.b.re}, half_root);
  const Complex c = times_minus_i(odd.c);
  const Complex d = scaled(Complex{odd.d.im - odd.d.re, -odd.d.re - odd.d.im}, half_root);
  return {{sum_of(even.a, odd.a), sum_of(even.b, b), sum_of(even.c, c), sum_of(even.d, d)},
          {difference(even.a, odd.a), difference(even.b, b), difference(even.c, c), difference(even.d, d)}};
}

// ---- passes ----

// The lines of one dimension. They have 2^bits elements at a distance of 2^stride_bits; `table` is the offset
// of the dimension's tables.
struct Axis {
  int bits, stride_bits;
  std::int64_t table;
};

// Indices for butterfly i of a pass over blocks of 2^block_bits elements of each line. Its element j is at
// first + j * step; the twiddle factor of element j is root number j * turn.
struct Place {
  std::int64_t first, step, turn;
};

SEXTANT_INLINE Place place_of(std::int64_t i, int radix_bits, int bits, int stride_bits, int block_bits) {
  const int part_bits = block_bits - radix_bits;
  const std::int64_t low = i & ((std::int64_t{1} << stride_bits) - 1), rest = i >> stride_bits;
  const std::int64_t p = rest & ((std::int64_t{1} << part_bits) - 1), number = rest >> part_bits;
  return {(((number << block_bits) + p) << stride_bits) + low, std::int64_t{1} << (part_bits + stride_bits),
          p << (bits - block_bits)};
}

// Input of a butterfly in an inverse transform: elements times their twiddle factors.
struct Turned {
  const Complex *data, *roots;
  Place at;
  SEXTANT_INLINE Complex operator()(int j) const {
    return turned(data[at.first + j * at.step], roots[j * at.turn]);
  }
};
// Input of a butterfly in a forward transform: unchanged elements.
struct Plain {
  const Complex* data;
  Place at;
  SEXTANT_INLINE Complex operator()(int j) const { return data[at.first + j * at.step]; }
};
// Input of a butterfly in the inverse transform's first pass: elements times the decay factors, with real and
// imaginary parts swapped.
struct Evolved {
  const Complex* data;
  Place at;
  double common;       // product of the factors along x and y
  const double* of_z;  // factors along z, starting at the butterfly's first element
  SEXTANT_INLINE Complex operator()(int j) const {
    const Complex value = data[at.first + j * at.step];
    const double factor = common * of_z[j];
    return {value.im * factor, value.re * factor};
  }
};

// Output of a butterfly. Put stores results unchanged; PutTurned multiplies them by their twiddle factors.
struct Put {
  Complex* data;
  Place at;
  SEXTANT_INLINE void operator()(int j, Complex value) const { data[at.first + j * at.step] = value; }
};
struct PutTurned {
  Complex* data;
  const Complex* roots;
  Place at;
  SEXTANT_INLINE void operator()(int j, Complex value) const {
    data[at.first + j * at.step] = turned(value, roots[j * at.turn]);
  }
};

template <int radix, typename Source, typename Sink>
SEXTANT_INLINE void butterfly_from(const Source& x, const Sink& put) {
  if constexpr (radix == 2) {
    const Complex a = x(0), b = x(1);
    put(0, sum_of(a, b)), put(1, difference(a, b));
  } else if constexpr (radix == 4) {
    const Four y = butterfly_4(x(0), x(1), x(2), x(3));
    put(0, y.a), put(1, y.b), put(2, y.c), put(3, y.d);
  } else {
    const Eight y = butterfly_8({x(0), x(2), x(4), x(6)}, {x(1), x(3), x(5), x(7)});
    put(0, y.low.a), put(1, y.low.b), put(2, y.low.c), put(3, y.low.d);
    put(4, y.high.a), put(5, y.high.b), put(6, y.high.c), put(7, y.high.d);
  }
}

template <int radix>
SEXTANT_INLINE void forward_at(std::int64_t i, int bits, int stride_bits, int block_bits,
                               const Complex* roots, Complex* data) {
  const Place at = place_of(i, log2_of(radix), bits, stride_bits, block_bits);
  butterfly_from<radix>(Plain{data, at}, PutTurned{data, roots, at});
}

template <int radix>
SEXTANT_INLINE void inverse_at(std::int64_t i, int bits, int stride_bits, int block_bits,
                               const Complex* roots, Complex* data) {
  const Place at = place_of(i, log2_of(radix), bits, stride_bits, block_bits);
  butterfly_from<radix>(Turned{data, roots, at}, Put{data, at});
}

// Computes a butterfly of the inverse transform's first pass, along z. x_bits is log2 of the extent along x.
// Blocks are single butterflies, so there are no twiddle factors.
template <int radix>
SEXTANT_INLINE void evolving_at(std::int64_t i, int stride_bits, int x_bits, const double* of_x,
                                const double* of_y, const double* of_z, const Complex* u, Complex* w) {
  const std::int64_t low = i & ((std::int64_t{1} << stride_bits) - 1), group = i >> stride_bits;
  const std::int64_t x = low & ((std::int64_t{1} << x_bits) - 1), y = low >> x_bits;
  const Place at = {((group * radix) << stride_bits) + low, std::int64_t{1} << stride_bits, 0};
  butterfly_from<radix>(Evolved{u, at, of_x[x] * of_y[y], of_z + group * radix}, Put{w, at});
}

template <int radix, bool forward>
void pass(int teams, std::int64_t count, int bits, int stride_bits, int block_bits, std::int64_t entries,
          const Complex* all_roots, std::int64_t table, Complex* data) {
  (void)teams;
  SEXTANT_REGION(SEXTANT_TARGET map(all_roots [0:entries], data [0:count]))
  SEXTANT_REGION(SEXTANT_LOOP)
  for (std::int64_t i = 0; i < count / radix; ++i) {
    if (forward)
      forward_at<radix>(i, bits, stride_bits, block_bits, all_roots + table, data);
    else
      inverse_at<radix>(i, bits, stride_bits, block_bits, all_roots + table, data);
  }
}

// Performs the first pass along z. `decays` has `length` factors for all steps. This step's factors for x
// begin at `first`; those for y and z are at offsets y_table and z_table from there.
template <int radix>
void evolving_pass(int teams, std::int64_t count, int stride_bits, int x_bits, std::int64_t length,
                   const double* decays, std::int64_t first, std::int64_t y_table, std::int64_t z_table,
                   const Complex* u, Complex* w) {
  (void)teams;
  SEXTANT_REGION(SEXTANT_TARGET map(decays [0:length], u [0:count], w [0:count]))
  SEXTANT_REGION(SEXTANT_LOOP)
  for (std::int64_t i = 0; i < count / radix; ++i)
    evolving_at<radix>(i, stride_bits, x_bits, decays + first, decays + first + y_table,
                       decays + first + z_table, u, w);
}

// Returns the frequency that a forward transform stores at index i of n (digit reversal). `most` is the
// largest radix. The first radix divides a line into as many blocks; block k has the frequencies k modulo
// that radix.
inline std::int64_t frequency_at(std::int64_t i, std::int64_t n, std::int64_t most) {
  std::int64_t frequency = 0, weight = 1;
  for (std::int64_t left = n; left > 1;) {
    const std::int64_t radix = left < most ? left : most;
    left /= radix;
    frequency += i / left * weight;
    i %= left;
    weight *= radix;
  }
  return frequency;
}

void set_tables(int teams, std::int64_t ex, std::int64_t ey, std::int64_t ez, std::int64_t steps,
                std::int64_t most, double* decays, Complex* roots) {
  const std::int64_t entries = ex + ey + ez, length = steps * entries;
  (void)teams;
  SEXTANT_REGION(SEXTANT_TARGET map(decays [0:length], roots [0:entries]))
  SEXTANT_REGION(SEXTANT_LOOP)
  for (std::int64_t k = 0; k < entries; ++k) {
    const std::int64_t n = k < ex ? ex : (k < ex + ey ? ey : ez);
    const std::int64_t i = k < ex ? k : (k < ex + ey ? k - ex : k - ex - ey);
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(n);
    roots[k].re = std::cos(angle);
    // Computes the sine as the cosine of another angle. For sine and cosine of one angle, GCC calls a
    // function that stores them in the warp's stack frame, which all lanes share.
    roots[k].im = std::cos(2 * pi * static_cast<double>(4 * i - n) / (4 * static_cast<double>(n)));
    const std::int64_t frequency = frequency_at(i, n, most);
    const auto wave = static_cast<double>(frequency < n / 2 ? frequency : frequency - n);
    for (std::int64_t t = 1; t <= steps; ++t)
      decays[(t - 1) * entries + k] =
          std::exp(-4 * diffusion * pi * pi * static_cast<double>(t) * wave * wave);
  }
}

// Generates the random initial field with swapped real and imaginary parts, so that one direction of
// transforms suffices (panels.hpp). One iteration generates elements that are `runs` apart.
void set_start(int teams, std::int64_t count, std::int64_t runs, Complex* u) {
  (void)teams;
  SEXTANT_REGION(SEXTANT_TARGET map(u [0:count]))
  SEXTANT_REGION(SEXTANT_LOOP)
  for (std::int64_t run = 0; run < runs; ++run) {
    std::uint64_t state = npb::random_skip(npb::other_seed, static_cast<std::uint64_t>(2 * run));
    const std::uint64_t jump = npb::random_jump(static_cast<std::uint64_t>(2 * (runs - 1)));
    for (std::int64_t i = run; i < count; i += runs) {
      state = npb::random_next(state);
      u[i].im = npb::random_value(state);
      state = npb::random_next(state);
      u[i].re = npb::random_value(state);
      state = npb::random_product(jump, state);
    }
  }
}

// Sums a step's checksum points with one team of one thread. Its SIMD lanes share the points.
void add(std::int64_t ex, std::int64_t ey, std::int64_t ez, const Complex* w, std::int64_t length,
         std::int64_t place, double* sums) {
  const std::int64_t count = ex * ey * ez;
#pragma omp target SEXTANT_ONE_WARP map(w [0:count], sums [0:length])
  {
    const double scale = 1.0 / static_cast<double>(count);
    double re = 0, im = 0;
#pragma omp SEXTANT_LANES reduction(+ : re, im)
    for (std::int64_t j = 1; j <= checksum_points; ++j) {
      const std::int64_t at = (5 * j % ez * ey + 3 * j % ey) * ex + j % ex;
      re += w[at].re;
      im += w[at].im;
    }
    sums[place] = re * scale;
    sums[place + 1] = im * scale;
  }
}

// ---- the program ----

// Device memory, together with a host allocation that only provides the address to map and is never accessed.
template <typename T>
struct Mapped {
  T* data = nullptr;
  std::int64_t count = 0;

  bool allocate(std::int64_t elements) {
    T* const memory = static_cast<T*>(std::malloc(static_cast<std::size_t>(elements) * sizeof(T)));
    if (!memory) return false;
#pragma omp target enter data map(alloc : memory [0:elements])
    data = memory, count = elements;
    return true;
  }
  void free() const {
    if (!data) return;
    T* const memory = data;
    const std::int64_t elements = count;
#pragma omp target exit data map(delete : memory [0:elements])
    std::free(memory);
  }
};

struct State {
  Mapped<Complex> u, own_w, roots;
  Mapped<double> decays;
  Complex* w = nullptr;
};

inline void release(void* state) {
  auto* mine = static_cast<State*>(state);
  mine->u.free(), mine->own_w.free(), mine->roots.free(), mine->decays.free();
  delete mine;
}

inline const char* prepare(const Call& call, void** state) {
  const std::int64_t count = call.problem.extents.count(), entries = axis_entries(call.problem.extents);
  auto* mine = new State;
  const bool own = !with_field(call.problem);
  if (!mine->u.allocate(count) || (own && !mine->own_w.allocate(count)) || !mine->roots.allocate(entries) ||
      !mine->decays.allocate(entries * iterations(call.problem))) {
    release(mine);
    return "memory ran out";
  }
  mine->w = own ? mine->own_w.data : call.array<Complex>(field);
  *state = mine;
  return nullptr;
}

inline std::int64_t workspace(const Problem& problem, const int*) {
  return state_bytes(problem) + axis_entries(problem.extents) * (16 + 8 * iterations(problem));
}

struct Program {
  const Call& call;
  int most_teams;
  const State& state;
  Extents e;
  Axis axes[3];

  Program(const Call& call_, int teams)
      : call(call_),
        most_teams(teams),
        state(*static_cast<const State*>(call_.state)),
        e(call_.problem.extents) {
    const int x = log2_of(e.x), y = log2_of(e.y), z = log2_of(e.z);
    axes[0] = {x, 0, 0};
    axes[1] = {y, x, e.x};
    axes[2] = {z, x + y, e.x + e.y};
  }

  int teams_of(std::int64_t iterations) const {
    return target::teams_for(most_teams, iterations, target::lanes);
  }

  template <typename Function>
  static void with_radix(int bits, Function&& function) {
    if constexpr (most_bits == 1)
      function.template operator()<2>();
    else
      Choices<2, 4, 8>::with(1 << bits, function);
  }

  template <bool forward>
  void run_pass(Axis along, int radix_bits, int block, Complex* data) const {
    with_radix(radix_bits, [&]<int R>() {
      pass<R, forward>(teams_of(e.count() / R), e.count(), along.bits, along.stride_bits, block,
                       state.roots.count, state.roots.data, along.table, data);
    });
  }

  void transform(int axis) const {
    for (int block = axes[axis].bits; block > 0;) {
      const int radix = std::min(block, most_bits);
      run_pass<true>(axes[axis], radix, block, state.u.data);
      block -= radix;
    }
  }

  // Performs the inverse transform along one axis. It uses the radices of `transform` in reverse order; its
  // first radix may be smaller than the others.
  void transform_back(int axis, std::int64_t t) const {
    const Axis along = axes[axis];
    int radix = (along.bits - 1) % most_bits + 1;
    for (int block = radix; block <= along.bits; radix = most_bits, block += most_bits) {
      if (axis == 2 && block == radix)
        with_radix(radix, [&]<int R>() {
          evolving_pass<R>(teams_of(e.count() / R), e.count(), along.stride_bits, axes[0].bits,
                           state.decays.count, state.decays.data, (t - 1) * axis_entries(e), e.x, e.x + e.y,
                           state.u.data, state.w);
        });
      else
        run_pass<false>(along, radix, block, state.w);
    }
  }

  void run() const {
    static constexpr const char* names[] = {"fft_x", "fft_y", "fft_z"};
    constexpr std::int64_t elements_a_run = 16;
    const std::int64_t steps = iterations(call.problem);
    const std::int64_t runs = (e.count() + elements_a_run - 1) / elements_a_run;
    call.phase("setup");
    set_tables(teams_of(axis_entries(e)), e.x, e.y, e.z, steps, std::int64_t{1} << most_bits,
               state.decays.data, state.roots.data);
    set_start(teams_of(runs), e.count(), runs, state.u.data);
    for (int axis = 0; axis < 3; ++axis) {
      call.phase(names[axis]);
      transform(axis);
    }
    for (std::int64_t t = 1; t <= steps; ++t) {
      for (int axis = 2; axis >= 0; --axis) {
        call.phase(names[axis]);  // the first pass along z includes the decay factors
        transform_back(axis, t);
      }
      call.phase("checksum");
      add(e.x, e.y, e.z, state.w, 2 * steps, 2 * (t - 1), call.array<double>(checksums));
    }
    call.phase("");
  }
};

// Sets the members that all OpenMP offload variants of FT share.
inline Variant passes_variant(Variant variant) {
  variant.prepare = prepare;
  variant.release = release;
  variant.workspace = workspace;
  return variant;
}

}  // namespace SEXTANT_FORM
}  // namespace sextant::npb_ft
