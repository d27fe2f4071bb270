// The tuned program for the host, serial or with threads as its file is compiled: each dimension's transform
// is one read and one write of the field. Lines along x are transformed one by one, those along y and z in
// panels of neighbouring columns; between its passes a line or panel is in a thread's two buffers. The
// forward transform works in place in U; the inverse one reads U along z, where the decay is applied, and
// goes on in place in w. A transform is the inverse one with real and imaginary parts exchanged before and
// after; so one direction does for both, if parts are exchanged where u is read and where U is read.
#pragma once

#include "host_state.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "transform.hpp"

namespace sextant::npb_ft {
namespace {

struct Panels {
  int columns = 32, streaming = 1;  // streaming: stores past the caches
};

using Streaming = Choices<0, 1>;

struct PanelState {
  HostFields fields;
  Plan plans[3];
  double* plan_memory[3];
  double* decay[3];
  Memory<double> tables, buffers;
  std::int64_t buffer_doubles = 0;  // of one thread
};

// Fields that fit in the caches are not to be stored past them.
inline void adapt_panels(const Problem& problem, Panels& panels) {
  if (2 * field_bytes(problem) <= (std::int64_t{16} << 20)) panels.streaming = 0;
}

inline std::int64_t panel_columns(const Problem& problem, const Panels& panels) {
  return std::min<std::int64_t>(panels.columns, problem.extents.x);
}

inline std::int64_t buffer_doubles(const Problem& problem, const Panels& panels) {
  const std::int64_t columns = panel_columns(problem, panels);
  const std::int64_t lines =
      std::max({problem.extents.x, problem.extents.y * columns, problem.extents.z * columns});
  constexpr std::int64_t apart = 8;  // a line of 64 bytes, so that no two threads share one
  return std::max<std::int64_t>(columns, 8) + 4 * lines + apart;
}

inline std::int64_t table_doubles(const Extents& e) {
  return plan_doubles(e.x) + plan_doubles(e.y) + plan_doubles(e.z) + axis_entries(e);
}

inline std::int64_t workspace_panels(const Problem& problem, const Panels& panels) {
  return state_bytes(problem) +
         8 * (table_doubles(problem.extents) + thread_count() * buffer_doubles(problem, panels));
}

inline void release_panels(void* state) { delete static_cast<PanelState*>(state); }

inline const char* prepare_panels(const Call& call, void** state) {
  auto made = std::make_unique<PanelState>();
  if (const char* why_not = make_fields(call, &made->fields)) return why_not;
  const Extents& e = call.problem.extents;
  const std::int64_t lengths[] = {e.x, e.y, e.z};
  made->buffer_doubles = buffer_doubles(call.problem, call.tuned<Panels>());
  made->tables = allocate<double>(table_doubles(e));
  made->buffers = allocate<double>(thread_count() * made->buffer_doubles);
  if (!made->tables || !made->buffers) return "host memory ran out";
  double* next = made->tables.get();
  for (int axis = 0; axis < 3; ++axis) {
    made->plans[axis] = plan_for(lengths[axis]);
    made->plan_memory[axis] = next;
    made->decay[axis] = next + plan_doubles(lengths[axis]);
    next += plan_doubles(lengths[axis]) + lengths[axis];
  }
  *state = made.release();
  return nullptr;
}

// This thread's two buffers for lines of `points` elements in all.
struct Buffers {
  Split pair[2];
  double* columns;
  Buffers(const PanelState& state, std::int64_t most_columns, std::int64_t points)
      : columns(state.buffers.get() + thread_index() * state.buffer_doubles) {
    double* first = columns + std::max<std::int64_t>(most_columns, 8);
    pair[0] = {first, first + points};
    pair[1] = {first + 2 * points, first + 3 * points};
  }
};

template <bool exchanged>
void transform_x(const Call& call, Complex* data) {
  const auto& state = *static_cast<const PanelState*>(call.state);
  const Extents& e = call.problem.extents;
#pragma omp parallel
  {
    const Buffers buffers(state, 0, e.x);
#pragma omp for schedule(static)
    for (std::int64_t row = 0; row < e.y * e.z; ++row)
      transform_line<exchanged>(state.plans[0], data + row * e.x, buffers.pair);
  }
}

template <bool streaming, bool evolving, typename V>
void transform_panels(const Call& call, int axis, const Complex* from, Complex* to) {
  const auto& state = *static_cast<const PanelState*>(call.state);
  const Extents& e = call.problem.extents;
  const std::int64_t columns = panel_columns(call.problem, call.tuned<Panels>()), plane = e.x * e.y;
  const std::int64_t others = axis == 1 ? e.z : e.y, step = axis == 1 ? plane : e.x;
  const Plan& plan = state.plans[axis];
  const int bits = log2_of(columns);
#pragma omp parallel
  {
    const Buffers buffers(state, columns, plan.n * columns);
#pragma omp for schedule(static) collapse(2)
    for (std::int64_t other = 0; other < others; ++other)
      for (std::int64_t x = 0; x < e.x; x += columns) {
        const std::int64_t at = other * step + x, stride = axis == 1 ? e.x : plane;
        const Panel<streaming> sink{to + at, stride, bits};
        if constexpr (evolving) {
          for (std::int64_t i = 0; i < columns; ++i)
            buffers.columns[i] = state.decay[0][x + i] * state.decay[1][other];
          const Panel<false> source{const_cast<Complex*>(from) + at, stride, bits};
          transform<V>(plan, columns, EvolvedPanel{source, state.decay[2], buffers.columns}, sink,
                       buffers.pair);
        } else {
          transform<V>(plan, columns, sink, sink, buffers.pair);
        }
      }
    if (streaming) stream_fence();
  }
}

// Along y (1) or z (2), in place, or with the decay from U to w.
template <bool evolving>
void transform_yz(const Call& call, int axis, const Complex* from, Complex* to) {
  const auto panels = call.tuned<Panels>();
  const bool packed = panel_columns(call.problem, panels) % lanes == 0;
  Streaming::with(panels.streaming, [&]<int streaming>() {
    if (packed)
      transform_panels<streaming != 0, evolving, Packed>(call, axis, from, to);
    else
      transform_panels<streaming != 0, evolving, double>(call, axis, from, to);
  });
}

inline void launch_panels(const Call& call) {
  auto& state = *static_cast<PanelState*>(call.state);
  const Extents& e = call.problem.extents;
  Complex *u = state.fields.u, *w = state.fields.w;
  call.phase("setup");
  for (int axis = 0; axis < 3; ++axis) set_factors(state.plans[axis], state.plan_memory[axis]);
  set_initial(e, u);
  call.phase("fft_x");
  transform_x<true>(call, u);
  call.phase("fft_y");
  transform_yz<false>(call, 1, u, u);
  call.phase("fft_z");
  transform_yz<false>(call, 2, u, u);
  for (std::int64_t t = 1; t <= iterations(call.problem); ++t) {
    call.phase("evolve");
    set_decay(e, t, state.decay[0], state.decay[1], state.decay[2]);
    call.phase("fft_z");
    transform_yz<true>(call, 2, u, w);
    call.phase("fft_y");
    transform_yz<false>(call, 1, w, w);
    call.phase("fft_x");
    transform_x<false>(call, w);
    call.phase("checksum");
    call.array<Complex>(checksums)[t - 1] = checksum(e, w);
  }
  call.phase("");
}

inline Variant panel_variant() {
  Variant variant;
  variant.tunables = tunables<Panels>({{"columns", &Panels::columns, {4, 8, 16, 32, 64}},
                                       {"streaming", &Panels::streaming, Streaming::list()}});
  variant.launch = {.float64 = launch_panels};
  variant.adapt = by_name<adapt_panels>;
  variant.prepare = prepare_panels;
  variant.release = release_panels;
  variant.workspace = by_name<workspace_panels>;
  return variant;
}

}  // namespace
}  // namespace sextant::npb_ft
