// NAS MG by OpenACC or OpenMP offload: one region per operator, with a loop over points or over columns of
// points. All sizes are powers of two, so that indices are computed by shifts.
//
// A file that includes this header must define:
// - SEXTANT_FORM, a unique namespace;
// - `by_columns`, true if the loops of residuals and smoother process columns along z;
// - SEXTANT_LOOP(...), the directive before a loop that uses the given device pointers.
//
// The file must also include openacc_memory.hpp or target_memory.hpp, which provide allocate, release and
// address for device memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "charges.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"

#ifndef SEXTANT_INLINE
  #define SEXTANT_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::npb_mg {
inline namespace SEXTANT_FORM {
namespace {

// ---- neighbours ----

// The nine elements around (x, y) in a plane, which is periodic in x and y.
struct Nine {
  const double* plane;
  int row, before, after, x, west, east;  // row, before and after are offsets of rows
  SEXTANT_INLINE Nine(const double* plane_, int bits, int x_, int y) : plane(plane_), x(x_) {
    const int mask = (1 << bits) - 1;
    row = y << bits;
    before = ((y - 1) & mask) << bits;
    after = ((y + 1) & mask) << bits;
    west = (x_ - 1) & mask;
    east = (x_ + 1) & mask;
  }
  SEXTANT_INLINE double centre() const { return plane[row + x]; }
  SEXTANT_INLINE double sides() const {
    return (plane[row + west] + plane[row + east]) + (plane[before + x] + plane[after + x]);
  }
  SEXTANT_INLINE double diagonals() const {
    return (plane[before + west] + plane[before + east]) + (plane[after + west] + plane[after + east]);
  }
};

SEXTANT_INLINE const double* plane_of(const double* field, int bits, int z) {
  return field + (static_cast<std::int64_t>(z & ((1 << bits) - 1)) << 2 * bits);
}

// Returns the weighted sum over the 27 points around (x, y, z). w0 … w3 are the weights of the centre, faces,
// edges and corners.
SEXTANT_INLINE double around(const double* field, int bits, int x, int y, int z, double w0, double w1,
                             double w2, double w3) {
  const Nine low(plane_of(field, bits, z - 1), bits, x, y), here(plane_of(field, bits, z), bits, x, y),
      high(plane_of(field, bits, z + 1), bits, x, y);
  const double faces = here.sides() + (low.centre() + high.centre());
  const double edges = here.diagonals() + (low.sides() + high.sides());
  return w0 * here.centre() + w1 * faces + w2 * edges + w3 * (low.diagonals() + high.diagonals());
}

// ---- operators on the grid of side 2^bits ----

// Computes the residual r = v - A u.
void residual(int bits, const double* u, const double* v, double* r) {
  const int count = 1 << 3 * bits, mask = (1 << bits) - 1;
  SEXTANT_LOOP(u, v, r)
  for (int i = 0; i < count; ++i)
    r[i] = v[i] - around(u, bits, i & mask, i >> bits & mask, i >> 2 * bits, a_centre, 0, a_edge, a_corner);
}

// Smooths: computes u += S r.
void smooth(int bits, double centre, double face, double edge, const double* r, double* u) {
  const int count = 1 << 3 * bits, mask = (1 << bits) - 1;
  SEXTANT_LOOP(r, u)
  for (int i = 0; i < count; ++i)
    u[i] += around(r, bits, i & mask, i >> bits & mask, i >> 2 * bits, centre, face, edge, 0);
}

// The same two operators, but each iteration processes a column of 2^plane_bits points along z. It loads the
// nine elements in each plane once. The result for a point is the sum of three terms: `begun` contains those
// of its own and the previous plane, `e` is that of the next plane.
void residual_columns(int bits, int plane_bits, const double* u, const double* v, double* r) {
  const int columns = 1 << (3 * bits - plane_bits), mask = (1 << bits) - 1;
  SEXTANT_LOOP(u, v, r)
  for (int i = 0; i < columns; ++i) {
    const int x = i & mask, y = i >> bits & mask, first = i >> 2 * bits << plane_bits;
    const Nine low(plane_of(u, bits, first - 1), bits, x, y);
    double below = a_edge * low.sides() + a_corner * low.diagonals(), begun = 0;
    for (int k = 0; k <= 1 << plane_bits; ++k) {
      const Nine here(plane_of(u, bits, first + k), bits, x, y);
      const double diagonals = here.diagonals(), e = a_edge * here.sides() + a_corner * diagonals;
      if (k > 0) {
        const int at = ((first + k - 1) << 2 * bits) + (y << bits) + x;
        r[at] = v[at] - (begun + e);
      }
      begun = a_centre * here.centre() + a_edge * diagonals + below;
      below = e;
    }
  }
}
void smooth_columns(int bits, int plane_bits, double centre, double face, double edge, const double* r,
                    double* u) {
  const int columns = 1 << (3 * bits - plane_bits), mask = (1 << bits) - 1;
  SEXTANT_LOOP(r, u)
  for (int i = 0; i < columns; ++i) {
    const int x = i & mask, y = i >> bits & mask, first = i >> 2 * bits << plane_bits;
    const Nine low(plane_of(r, bits, first - 1), bits, x, y);
    double below = face * low.centre() + edge * low.sides(), begun = 0;
    for (int k = 0; k <= 1 << plane_bits; ++k) {
      const Nine here(plane_of(r, bits, first + k), bits, x, y);
      const double own = here.centre(), sides = here.sides(), e = face * own + edge * sides;
      if (k > 0) u[((first + k - 1) << 2 * bits) + (y << bits) + x] += begun + e;
      begun = centre * own + face * sides + edge * here.diagonals() + below;
      below = e;
    }
  }
}

// Restricts the field of side 2^bits to one of side 2^(bits - 1).
void restrict_field(int bits, const double* fine, double* coarse) {
  const int half = bits - 1, count = 1 << 3 * half, mask = (1 << half) - 1;
  SEXTANT_LOOP(fine, coarse)
  for (int i = 0; i < count; ++i)
    coarse[i] = around(fine, bits, 2 * (i & mask) + 1, 2 * (i >> half & mask) + 1, 2 * (i >> 2 * half) + 1,
                       0.5, 0.25, 0.125, 0.0625);
}

// Computes u = kept * u + Q z; `kept` is 0 or 1.
void interpolate(int bits, int kept, const double* z, double* u) {
  const int count = 1 << 3 * bits, mask = (1 << bits) - 1, half = bits - 1, half_mask = mask >> 1;
  SEXTANT_LOOP(z, u)
  for (int i = 0; i < count; ++i) {
    const int x = i & mask, y = i >> bits & mask, k = i >> 2 * bits;
    const int x0 = ((x - 1) >> 1) & half_mask, x1 = x >> 1, y0 = (((y - 1) >> 1) & half_mask) << half,
              y1 = y >> 1 << half, k0 = (((k - 1) >> 1) & half_mask) << 2 * half, k1 = k >> 1 << 2 * half;
    const double sum = ((z[k0 + y0 + x0] + z[k0 + y0 + x1]) + (z[k0 + y1 + x0] + z[k0 + y1 + x1])) +
                       ((z[k1 + y0 + x0] + z[k1 + y0 + x1]) + (z[k1 + y1 + x0] + z[k1 + y1 + x1]));
    u[i] = 0.125 * sum + (kept ? u[i] : 0);
  }
}

void clear(int count, double* field) {
  SEXTANT_LOOP(field)
  for (int i = 0; i < count; ++i) field[i] = 0;
}

// Computes to[i] as the sum of from[i + j * stride], or of its squares, for 0 <= j < terms, in a fixed order.
void add_strided(int count, int terms, int stride, int squares, const double* from, double* to) {
  SEXTANT_LOOP(from, to)
  for (int i = 0; i < count; ++i) {
    double sum = 0;
    for (int j = 0; j < terms; ++j) {
      const double value = from[i + static_cast<std::int64_t>(j) * stride];
      sum += squares ? value * value : value;
    }
    to[i] = sum;
  }
}

void put_charge(std::int64_t at, double charge, double* v) {
  SEXTANT_LOOP(v)
  for (int i = 0; i < 1; ++i) v[at + i] = charge;
}

void put_norm(int which, double points, const double* sum, double* norms) {
  SEXTANT_LOOP(sum, norms)
  for (int i = 0; i < 1; ++i) norms[which + i] = __builtin_sqrt(sum[i] / points);
}

// ---- the program ----

struct Columns {
  int planes = 32;
};

struct State {
  double *u = nullptr, *r = nullptr, *v = nullptr, *coarse_u = nullptr, *coarse_r = nullptr, *sums = nullptr,
         *norms = nullptr;
  bool own_fields = true;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (own_fields) device::release(u), device::release(r);
    device::release(v), device::release(coarse_u), device::release(coarse_r), device::release(sums);
  }
};

inline std::int64_t sum_count(std::int64_t n) { return n * n + n + 1; }

std::int64_t state_bytes(const Problem& problem) {
  const std::int64_t n = side(problem);
  return 8 * ((with_field(problem) ? 1 : 3) * cube(n) + 2 * coarser_points(n) + sum_count(n));
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t n = side(call.problem);
  auto made = std::make_unique<State>();
  made->own_fields = !with_field(call.problem);
  made->u = made->own_fields ? device::allocate(cube(n)) : device::address(call.array<double>(field_u));
  made->r = made->own_fields ? device::allocate(cube(n)) : device::address(call.array<double>(field_r));
  made->v = device::allocate(cube(n));
  made->coarse_u = device::allocate(coarser_points(n)), made->coarse_r = device::allocate(coarser_points(n));
  made->sums = device::allocate(sum_count(n));
  made->norms = device::address(call.array<double>(norms));
  if (!made->u || !made->r || !made->v || !made->coarse_u || !made->coarse_r || !made->sums)
    return "device memory ran out";
  clear(static_cast<int>(cube(n)), made->v);
  const Charges charges = find_charges(n);
  for (int i = 0; i < charge_count; ++i) {
    put_charge(charges.negative[i], -1, made->v);
    put_charge(charges.positive[i], 1, made->v);
  }
  *state = made.release();
  return nullptr;
}

struct Program {
  const Call& call;
  const State& state;
  const int finest, planes;
  const Smoother s;

  explicit Program(const Call& call_)
      : call(call_),
        state(*static_cast<const State*>(call_.state)),
        finest(log2_of(side(call_.problem))),
        planes(by_columns ? log2_of(call_.tuned<Columns>().planes) : 0),
        s(smoother(call_.problem)) {}

  double* u(int bits) const {
    return bits == finest ? state.u : state.coarse_u + level_offset(std::int64_t{1} << bits);
  }
  double* r(int bits) const {
    return bits == finest ? state.r : state.coarse_r + level_offset(std::int64_t{1} << bits);
  }
  // Returns log2 of the planes per column. Small grids have shorter columns, so that enough of them keep a
  // GPU busy.
  int plane_bits(int bits) const { return std::clamp(3 * bits - 16, 0, std::min(planes, bits)); }

  void make_residual(int bits) const {
    const double* const v = bits == finest ? state.v : r(bits);
    if (by_columns)
      residual_columns(bits, plane_bits(bits), u(bits), v, r(bits));
    else
      residual(bits, u(bits), v, r(bits));
  }
  void make_smooth(int bits) const {
    if (by_columns)
      smooth_columns(bits, plane_bits(bits), s.centre, s.face, s.edge, r(bits), u(bits));
    else
      smooth(bits, s.centre, s.face, s.edge, r(bits), u(bits));
  }

  // Computes a norm: sums columns along z, then rows of these sums, then the rows' sums.
  void norm(int which) const {
    const int n = 1 << finest;
    add_strided(n * n, n, n * n, 1, state.r, state.sums);
    add_strided(n, n, n, 0, state.sums, state.sums + n * n);
    add_strided(1, n, 1, 0, state.sums + n * n, state.sums + n * n + n);
    put_norm(which, static_cast<double>(cube(n)), state.sums + n * n + n, state.norms);
  }

  void cycle() const {
    call.phase("restrict");
    for (int bits = finest; bits >= 2; --bits) restrict_field(bits, r(bits), r(bits - 1));
    clear(8, u(1));
    for (int bits = 1; bits <= finest; ++bits) {
      if (bits > 1) {
        call.phase("interpolate");
        interpolate(bits, bits == finest, u(bits - 1), u(bits));
        call.phase("residual");
        make_residual(bits);
      }
      call.phase("smooth");
      make_smooth(bits);
    }
    call.phase("residual");
    make_residual(finest);
  }

  void run() const {
    call.phase("residual");
    clear(1 << 3 * finest, state.u);
    make_residual(finest);
    call.phase("norm");
    norm(0);
    for (std::int64_t t = 0; t < iterations(call.problem); ++t) cycle();
    call.phase("norm");
    norm(1);
    call.phase("");
  }
};

// Returns a variant with these operators for a memory space.
Variant operators_variant(MemorySpace memory_space, const char* description) {
  Variant variant;
  variant.memory_space = memory_space;
  variant.description = description;
  if (by_columns) variant.tunables = tunables<Columns>({{"planes", &Columns::planes, {4, 8, 16, 32, 64}}});
  variant.launch = {.float64 = [](const Call& call) { Program(call).run(); }};
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = [](const Problem& problem, const int*) { return state_bytes(problem); };
  return variant;
}

}  // namespace
}  // namespace SEXTANT_FORM
}  // namespace sextant::npb_mg
