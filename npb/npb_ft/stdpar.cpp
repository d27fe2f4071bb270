// NAS FT with C++ parallel algorithms. Each dimension's transform is a std::for_each over parts of the field.
// A part is a sequence of lines or panels that use the same two buffers in turn. The inverse transform
// multiplies by the decay factors when it reads U along z.
#include "panel_state.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

using namespace npb_ft;

struct Columns {
  int columns = 32;
};

Panels panels_of(const Columns& tuned) { return {tuned.columns, 0}; }

std::int64_t part_count() { return std::int64_t{4} * thread_count(); }

std::int64_t workspace(const Problem& problem, const Columns& tuned) {
  return panel_bytes(problem, panels_of(tuned), part_count());
}

const char* prepare(const Call& call, void** state) {
  return make_panels(call, panels_of(call.tuned<Columns>()), part_count(), state);
}

// Calls body(part, i) for 0 <= i < count. Each part has a contiguous range of i.
template <typename Body>
void for_parts(std::int64_t count, const Body& body) {
  const std::int64_t parts = std::min(count, part_count());
  for_each_index(0, parts, [&](std::int64_t part) {
    for (std::int64_t i = part * count / parts; i < (part + 1) * count / parts; ++i) body(part, i);
  });
}

void set_start(const Extents& e, Complex* u) {
  for_each_index(0, e.y * e.z, [=](std::int64_t row) {
    random_row(npb::random_skip(npb::other_seed, static_cast<std::uint64_t>(2 * e.x * row)), 2 * e.x,
               &u[row * e.x].re);
  });
}

template <bool exchanged>
void transform_x(const Call& call, Complex* data) {
  const auto& state = *static_cast<const PanelState*>(call.state);
  const Extents& e = call.problem.extents;
  for_parts(e.y * e.z, [&](std::int64_t part, std::int64_t row) {
    const Buffers buffers(state, part, 0, e.x);
    transform_line<exchanged>(state.plans[0], data + row * e.x, buffers.pair);
  });
}

// Transforms along axis y (1) or z (2): in place, or (`evolving`) from U times the decay factors to w.
template <bool evolving, typename V>
void transform_panels(const Call& call, int axis, const Complex* from, Complex* to) {
  const auto& state = *static_cast<const PanelState*>(call.state);
  const Extents& e = call.problem.extents;
  const std::int64_t columns = panel_columns(call.problem, panels_of(call.tuned<Columns>()));
  const std::int64_t plane = e.x * e.y, across = e.x / columns, others = axis == 1 ? e.z : e.y;
  const Plan& plan = state.plans[axis];
  for_parts(others * across, [&](std::int64_t part, std::int64_t i) {
    const std::int64_t other = i / across, x = i % across * columns;
    const std::int64_t at = other * (axis == 1 ? plane : e.x) + x, stride = axis == 1 ? e.x : plane;
    const Buffers buffers(state, part, columns, plan.n * columns);
    const Panel<false> sink{to + at, stride, log2_of(columns)};
    if constexpr (evolving) {
      for (std::int64_t column = 0; column < columns; ++column)
        buffers.columns[column] = state.decay[0][x + column] * state.decay[1][other];
      const Panel<false> source{const_cast<Complex*>(from) + at, stride, log2_of(columns)};
      transform<V>(plan, columns, EvolvedPanel{source, state.decay[2], buffers.columns}, sink, buffers.pair);
    } else {
      transform<V>(plan, columns, sink, sink, buffers.pair);
    }
  });
}

template <bool evolving>
void transform_yz(const Call& call, int axis, const Complex* from, Complex* to) {
  if (panel_columns(call.problem, panels_of(call.tuned<Columns>())) % lanes == 0)
    transform_panels<evolving, Packed>(call, axis, from, to);
  else
    transform_panels<evolving, double>(call, axis, from, to);
}

Complex checksum_of(const Extents& e, const Complex* w) {
  Complex sum = {0, 0};
  on_algorithm_threads([&] {
    sum = std::transform_reduce(
        std::execution::par, Counter(1), Counter(checksum_points + 1), Complex{0, 0},
        [](Complex a, Complex b) {
          return Complex{a.re + b.re, a.im + b.im};
        },
        [&](std::int64_t j) { return w[checksum_index(e, j)]; });
  });
  const double scale = 1.0 / static_cast<double>(e.count());  // a power of two, so the scaling is exact
  return {sum.re * scale, sum.im * scale};
}

void launch(const Call& call) {
  auto& state = *static_cast<PanelState*>(call.state);
  const Extents& e = call.problem.extents;
  Complex *u = state.fields.u, *w = state.fields.w;
  call.phase("setup");
  for (int axis = 0; axis < 3; ++axis) set_factors(state.plans[axis], state.plan_memory[axis]);
  set_start(e, u);
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
    call.array<Complex>(checksums)[t - 1] = checksum_of(e, w);
  }
  call.phase("");
}

}  // namespace

std::vector<Variant> npb_ft_stdpar() {
  return {{.name = "panels",
           .description =
               "std::for_each over chunks of panels of lines; one read and write per dimension; radix 8",
           .tunables = tunables<Columns>({{"columns", &Columns::columns, {4, 8, 16, 32, 64}}}),
           .launch = {.float64 = launch},
           .prepare = prepare,
           .release = release_panels,
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
