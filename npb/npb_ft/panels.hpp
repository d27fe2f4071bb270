// Tuned FFT on the host, serial or with OpenMP threads. Each dimension's transform reads and writes the field
// once. Lines along x are transformed one at a time; lines along y and z in panels of adjacent columns. The
// forward transform works in place in U. The inverse transform reads U, multiplies by the decay factors, and
// continues in place in w. Swapping real and imaginary parts before and after an inverse transform gives a
// forward transform, so code for one direction suffices.
#pragma once

#include "panel_state.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"

namespace sextant::npb_ft {
namespace {

using Streaming = Choices<0, 1>;

// Returns true if a pass uses non-temporal stores.
inline bool streams(const Panels& panels, bool in_place) {
  return panels.streaming_stores == stream_all || (panels.streaming_stores == stream_to_others && !in_place);
}

// Disables non-temporal stores for fields that fit in the caches.
inline void adapt_panels(const Problem& problem, Panels& panels) {
  if (2 * field_bytes(problem) <= (std::int64_t{16} << 20)) panels.streaming_stores = stream_none;
}

inline std::int64_t workspace_panels(const Problem& problem, const Panels& panels) {
  return panel_bytes(problem, panels, thread_count());
}

inline const char* prepare_panels(const Call& call, void** state) {
  return make_panels(call, call.tuned<Panels>(), thread_count(), state);
}

template <bool exchanged>
void transform_x(const Call& call, Complex* data) {
  const auto& state = *static_cast<const PanelState*>(call.state);
  const Extents& e = call.problem.extents;
#pragma omp parallel
  {
    const Buffers buffers(state, thread_index(), 0, e.x);
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
    const Buffers buffers(state, thread_index(), columns, plan.n * columns);
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

// Transforms along axis y (1) or z (2): in place, or (`evolving`) from U times the decay factors to w.
template <bool evolving>
void transform_yz(const Call& call, int axis, const Complex* from, Complex* to) {
  const auto panels = call.tuned<Panels>();
  const bool packed = panel_columns(call.problem, panels) % lanes == 0;
  Streaming::with(streams(panels, from == to) ? 1 : 0, [&]<int streaming>() {
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
  variant.tunables = tunables<Panels>(
      {{"columns", &Panels::columns, {4, 8, 16, 32, 64}},
       {"streaming_stores", &Panels::streaming_stores, {stream_none, stream_all, stream_to_others}}});
  variant.launch = {.float64 = launch_panels};
  variant.adapt = by_name<adapt_panels>;
  variant.prepare = prepare_panels;
  variant.release = release_panels;
  variant.workspace = by_name<workspace_panels>;
  return variant;
}

}  // namespace
}  // namespace sextant::npb_ft
