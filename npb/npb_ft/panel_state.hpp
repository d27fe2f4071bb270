// State and transforms of the host variants that work on panels (groups of adjacent lines): fields, tables,
// and two buffers per thread.
#pragma once

#include "host_state.hpp"
#include "lanes.hpp"

// Stockham FFT of many lines at once, in passes of radix 8, 4 and 2 (Van Loan, "Computational Frameworks for
// the Fast Fourier Transform", SIAM 1992, section 1.7). The first pass reads a field, the last writes one,
// and the others alternate between two buffers. Buffers store real and imaginary parts separately. SIMD lanes
// hold adjacent lines or, for a single line, its elements.
namespace sextant::npb_ft {
namespace {

// Returns exp(-2 pi i k / n), computed in long double.
inline Complex root(std::int64_t k, std::int64_t n) {
  const long double angle = -2 * long_pi * static_cast<long double>(k % n) / static_cast<long double>(n);
  return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
}

// The passes for a line of n elements. Pass i computes butterflies of size radix[i], in reach[i] groups. The
// inputs of a butterfly are reach[i] elements apart.
struct Plan {
  std::int64_t n = 1;
  int passes = 0;
  int radix[8] = {};
  std::int64_t reach[8] = {};
  double* factors[8] = {};  // twiddle factors: radix - 1 cosines and sines for each of `reach` groups
  // Twiddle factors of pass 0 as [real or imaginary part][k][group], for SIMD lanes along one line.
  double* turned_factors = {};
};

inline Plan plan_for(std::int64_t n) {
  Plan plan;
  plan.n = n;
  for (std::int64_t left = n; left > 1;) {
    // Radix 8 comes first, because the first pass along a line needs it. For the last 16 elements, two passes
    // of radix 4 replace passes of radix 8 and 2.
    const int radix = left == 2 ? 2 : left == 4 || left == 16 ? 4 : 8;
    left /= radix;
    plan.radix[plan.passes] = radix;
    plan.reach[plan.passes++] = left;
  }
  return plan;
}

// Upper bound on the number of doubles that set_factors writes.
constexpr std::int64_t plan_doubles(std::int64_t n) { return 4 * n; }

// Computes the plan's twiddle factors and stores them in `memory`.
inline void set_factors(Plan& plan, double* memory) {
  for (int pass = 0; pass < plan.passes; ++pass) {
    const int radix = plan.radix[pass];
    const std::int64_t groups = plan.reach[pass];
    plan.factors[pass] = memory;
    for (std::int64_t group = 0; group < groups; ++group)
      for (int k = 1; k < radix; ++k) {
        const Complex w = root(group * k, groups * radix);
        *memory++ = w.re;
        *memory++ = -w.im;
      }
  }
  plan.turned_factors = memory;
  for (int part = 0; part < 2; ++part)
    for (int k = 1; k < plan.radix[0]; ++k)
      for (std::int64_t group = 0; group < plan.reach[0]; ++group)
        *memory++ = plan.factors[0][2 * (group * (plan.radix[0] - 1) + k - 1) + part];
}

// Performs one pass over `together` adjacent lines. For later passes, `together` is the number of lines times
// the earlier radices.
template <int radix, typename V, typename Source, typename Sink>
void pass(const Plan& plan, int index, std::int64_t together, const Source& source, const Sink& sink) {
  const std::int64_t groups = plan.reach[index];
  const double* factors = plan.factors[index];
  for (std::int64_t group = 0; group < groups; ++group, factors += 2 * (radix - 1))
    for (std::int64_t q = 0; q < together; q += width<V>) {
      V re[radix], im[radix];
      SEXTANT_UNROLL
      for (int k = 0; k < radix; ++k) source.load(q + together * (group + k * groups), re[k], im[k]);
      butterfly<radix>(re, im);
      SEXTANT_UNROLL
      for (int k = 1; k < radix; ++k) rotate(re[k], im[k], factors[2 * k - 2], factors[2 * k - 1]);
      SEXTANT_UNROLL
      for (int k = 0; k < radix; ++k) sink.store(q + together * (radix * group + k), re[k], im[k]);
    }
}

template <typename V, typename Source, typename Sink>
void pass_of(const Plan& plan, int index, std::int64_t together, const Source& source, const Sink& sink) {
  if (plan.radix[index] == 8)
    pass<8, V>(plan, index, together, source, sink);
  else if (plan.radix[index] == 4)
    pass<4, V>(plan, index, together, source, sink);
  else
    pass<2, V>(plan, index, together, source, sink);
}

// Performs the passes from number `index` on. Their input is in buffers[0].
template <typename V, typename Sink>
void finish(const Plan& plan, int index, std::int64_t together, const Split* buffers, const Sink& sink) {
  for (int from = 0; index < plan.passes; ++index, from ^= 1) {
    if (index + 1 == plan.passes)
      pass_of<V>(plan, index, together, buffers[from], sink);
    else
      pass_of<V>(plan, index, together, buffers[from], buffers[from ^ 1]);
    together *= plan.radix[index];
  }
}

// Transforms `together` lines from source to sink. Element i of line l has index i * together + l in both.
// Each buffer holds plan.n * together elements. `together` must be a multiple of V's width.
template <typename V, typename Source, typename Sink>
void transform(const Plan& plan, std::int64_t together, const Source& source, const Sink& sink,
               const Split* buffers) {
  if (plan.passes == 1) return pass_of<V>(plan, 0, together, source, sink);
  pass_of<V>(plan, 0, together, source, buffers[0]);
  finish<V>(plan, 1, together * plan.radix[0], buffers, sink);
}

// Performs the first pass along one line. SIMD lanes hold adjacent groups; a transposition makes each group's
// results contiguous.
template <typename Source>
void first_pass_along(const Plan& plan, const Source& source, const Split& sink) {
  constexpr int radix = 8;
  const std::int64_t groups = plan.reach[0];
  const double *of_re = plan.turned_factors - groups, *of_im = of_re + (radix - 1) * groups;
  for (std::int64_t group = 0; group < groups; group += lanes) {
    Packed re[radix], im[radix];
    SEXTANT_UNROLL
    for (int k = 0; k < radix; ++k) source.load(group + k * groups, re[k], im[k]);
    butterfly<radix>(re, im);
    SEXTANT_UNROLL
    for (int k = 1; k < radix; ++k)
      rotate(re[k], im[k], load_vector<Packed>(of_re + k * groups + group),
             load_vector<Packed>(of_im + k * groups + group));
    SEXTANT_UNROLL
    for (int k = 0; k < radix; k += lanes) {
      transpose(re + k);
      transpose(im + k);
      SEXTANT_UNROLL
      for (int i = 0; i < lanes; ++i) sink.store(radix * (group + i) + k, re[k + i], im[k + i]);
    }
  }
}

// Transforms one contiguous line in place. If `exchanged`, its real and imaginary parts are swapped first.
template <bool exchanged>
void transform_line(const Plan& plan, Complex* line, const Split* buffers) {
  if (plan.passes > 1 && plan.radix[0] == 8 && plan.reach[0] % lanes == 0) {
    first_pass_along(plan, Line<exchanged>{line}, buffers[0]);
    finish<Packed>(plan, 1, 8, buffers, Line<false>{line});
  } else {
    transform<double>(plan, 1, Line<exchanged>{line}, Line<false>{line}, buffers);
  }
}

}  // namespace
}  // namespace sextant::npb_ft

namespace sextant::npb_ft {
namespace {

// Values of a tunable: which passes use non-temporal stores. In-place passes rarely gain, because the line is
// usually still in the cache. Between two fields, an ordinary store would first read the memory that it
// overwrites.
inline constexpr int stream_none = 0, stream_all = 1, stream_to_others = 2;

struct Panels {
  int columns = 32, streaming_stores = stream_to_others;
};

struct PanelTables {
  Plan plans[3];
  double* plan_memory[3];
  double* decay[3];
  HostMemory<double> tables, buffers;
  std::int64_t buffer_doubles = 0;  // doubles in one thread's two buffers
};

struct PanelState : PanelTables {
  HostFields fields;
};

inline std::int64_t panel_columns(const Problem& problem, const Panels& panels) {
  return std::min<std::int64_t>(panels.columns, problem.extents.x);
}

inline std::int64_t buffer_doubles(const Problem& problem, const Panels& panels) {
  const std::int64_t columns = panel_columns(problem, panels);
  const std::int64_t lines =
      std::max({problem.extents.x, problem.extents.y * columns, problem.extents.z * columns});
  constexpr std::int64_t apart = 8;  // doubles in a 64-byte cache line; avoids false sharing
  return std::max<std::int64_t>(columns, 8) + 4 * lines + apart;
}

inline std::int64_t table_doubles(const Extents& e) {
  return plan_doubles(e.x) + plan_doubles(e.y) + plan_doubles(e.z) + axis_entries(e);
}

// Returns the bytes of a state with buffers for `buffers` threads.
inline std::int64_t panel_bytes(const Problem& problem, const Panels& panels, std::int64_t buffers) {
  return state_bytes(problem) +
         8 * (table_doubles(problem.extents) + buffers * buffer_doubles(problem, panels));
}

inline void release_panels(void* state) { delete static_cast<PanelState*>(state); }

// Allocates tables, and buffers for `buffers` threads. Returns false if memory is insufficient.
inline bool make_tables(const Problem& problem, const Panels& panels, std::int64_t buffers,
                        PanelTables* made) {
  const Extents& e = problem.extents;
  const std::int64_t lengths[] = {e.x, e.y, e.z};
  made->buffer_doubles = buffer_doubles(problem, panels);
  made->tables = allocate_host<double>(table_doubles(e));
  made->buffers = allocate_host<double>(buffers * made->buffer_doubles);
  if (!made->tables || !made->buffers) return false;
  double* next = made->tables.get();
  for (int axis = 0; axis < 3; ++axis) {
    made->plans[axis] = plan_for(lengths[axis]);
    made->plan_memory[axis] = next;
    made->decay[axis] = next + plan_doubles(lengths[axis]);
    next += plan_doubles(lengths[axis]) + lengths[axis];
  }
  return true;
}

// Allocates a state with buffers for `buffers` threads. Returns null, or the reason for a failure.
inline const char* make_panels(const Call& call, const Panels& panels, std::int64_t buffers, void** state) {
  auto made = std::make_unique<PanelState>();
  if (const char* why_not = make_fields(call, &made->fields)) return why_not;
  if (!make_tables(call.problem, panels, buffers, made.get())) return "host memory ran out";
  *state = made.release();
  return nullptr;
}

// The two buffers of thread `index`, for panels with `points` elements in total.
struct Buffers {
  Split pair[2];
  double* columns;
  Buffers(const PanelTables& state, std::int64_t index, std::int64_t most_columns, std::int64_t points)
      : columns(state.buffers.get() + index * state.buffer_doubles) {
    double* first = columns + std::max<std::int64_t>(most_columns, 8);
    pair[0] = {first, first + points};
    pair[1] = {first + 2 * points, first + 3 * points};
  }
};

}  // namespace
}  // namespace sextant::npb_ft
