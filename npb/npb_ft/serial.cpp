#include "host_state.hpp"
#include "panels.hpp"
#include "suite/compilation.hpp"

// The serial baseline has the structure of NPB's own code. Along every dimension it copies blocks of 32 lines
// into a buffer, transforms them by radix-2 passes (Stockham FFT), and copies them back. A separate pass
// multiplies U by the decay factors in each step.
namespace sextant::npb_ft {
namespace {

constexpr std::int64_t block_lines = 32;

struct BlockState {
  HostFields fields;
  HostMemory<Complex> roots, buffers;  // roots: roots of unity for the longest dimension
  HostMemory<double> decay;
  std::int64_t longest = 0;
};

inline std::int64_t workspace_blocks(const Problem& problem, const int*) {
  const Extents& e = problem.extents;
  return state_bytes(problem) + 8 * axis_entries(e) +
         static_cast<std::int64_t>(sizeof(Complex)) * longest_of(e) * (1 + 2 * block_lines);
}

inline void release_blocks(void* state) { delete static_cast<BlockState*>(state); }

inline const char* prepare_blocks(const Call& call, void** state) {
  auto made = std::make_unique<BlockState>();
  if (const char* why_not = make_fields(call, &made->fields)) return why_not;
  const Extents& e = call.problem.extents;
  made->longest = longest_of(e);
  made->roots = allocate_host<Complex>(made->longest);
  made->buffers = allocate_host<Complex>(2 * made->longest * block_lines);
  made->decay = allocate_host<double>(axis_entries(e));
  if (!made->roots || !made->buffers || !made->decay) return "host memory ran out";
  *state = made.release();
  return nullptr;
}

// Transforms `lines` interleaved lines of n elements. x and y are used alternately; returns the one that
// contains the result. `sign` is the sign of the exponents.
inline const Complex* transform_block(const BlockState& state, double sign, std::int64_t n,
                                      std::int64_t lines, Complex* x, Complex* y) {
  const std::int64_t step = state.longest / n;
  for (std::int64_t half = n / 2, together = lines; half >= 1; half /= 2, together *= 2) {
    for (std::int64_t p = 0; p < half; ++p) {
      const Complex w = state.roots[static_cast<std::size_t>(p * (n / 2 / half) * step)];
      const double re = w.re, im = sign * w.im;
      const Complex *a = x + p * together, *b = a + half * together;
      Complex *sum = y + 2 * p * together, *difference = sum + together;
      for (std::int64_t q = 0; q < together; ++q) {
        const double d_re = a[q].re - b[q].re, d_im = a[q].im - b[q].im;
        sum[q] = {a[q].re + b[q].re, a[q].im + b[q].im};
        difference[q] = {d_re * re - d_im * im, d_re * im + d_im * re};
      }
    }
    std::swap(x, y);
  }
  return x;
}

// The lines of one dimension. `stride` is the distance of elements, `line_stride` of adjacent lines, and
// `group_stride` of groups of `lines` lines.
struct Axis {
  std::int64_t n, stride, lines, line_stride, groups, group_stride;
};

inline void transform_axis(const BlockState& state, double sign, const Axis& axis, Complex* data) {
  Complex* const buffer = state.buffers.get();
  for (std::int64_t group = 0; group < axis.groups; ++group)
    for (std::int64_t first = 0; first < axis.lines; first += block_lines) {
      const std::int64_t lines = std::min(block_lines, axis.lines - first);
      Complex* const base = data + group * axis.group_stride + first * axis.line_stride;
      for (std::int64_t i = 0; i < axis.n; ++i)
        for (std::int64_t line = 0; line < lines; ++line)
          buffer[i * lines + line] = base[i * axis.stride + line * axis.line_stride];
      const Complex* result =
          transform_block(state, sign, axis.n, lines, buffer, buffer + axis.n * block_lines);
      for (std::int64_t i = 0; i < axis.n; ++i)
        for (std::int64_t line = 0; line < lines; ++line)
          base[i * axis.stride + line * axis.line_stride] = result[i * lines + line];
    }
}

// Multiplies U by the decay factors of one step and copies the result to w.
inline void evolve(const BlockState& state, const Extents& e) {
  const double *of_x = state.decay.get(), *of_y = of_x + e.x, *of_z = of_y + e.y;
  Complex *u = state.fields.u, *w = state.fields.w;
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x, ++u, ++w) {
        const double factor = of_x[x] * of_y[y] * of_z[z];
        *u = {u->re * factor, u->im * factor};
        *w = *u;
      }
}

inline void launch_blocks(const Call& call) {
  const auto& state = *static_cast<const BlockState*>(call.state);
  const Extents& e = call.problem.extents;
  Complex *u = state.fields.u, *w = state.fields.w;
  const Axis along_x = {e.x, 1, e.y * e.z, e.x, 1, 0}, along_y = {e.y, e.x, e.x, 1, e.z, e.x * e.y},
             along_z = {e.z, e.x * e.y, e.x, 1, e.y, e.x};
  call.phase("setup");
  set_decay(e, 1, state.decay.get(), state.decay.get() + e.x, state.decay.get() + e.x + e.y);
  set_initial(e, u);
  for (std::int64_t k = 0; k < state.longest; ++k) {
    const double angle = 2 * pi * static_cast<double>(k) / static_cast<double>(state.longest);
    state.roots[static_cast<std::size_t>(k)] = {std::cos(angle), std::sin(angle)};
  }
  call.phase("fft_x");
  transform_axis(state, 1, along_x, u);
  call.phase("fft_y");
  transform_axis(state, 1, along_y, u);
  call.phase("fft_z");
  transform_axis(state, 1, along_z, u);
  for (std::int64_t t = 1; t <= iterations(call.problem); ++t) {
    call.phase("evolve");
    evolve(state, e);
    call.phase("fft_z");
    transform_axis(state, -1, along_z, w);
    call.phase("fft_y");
    transform_axis(state, -1, along_y, w);
    call.phase("fft_x");
    transform_axis(state, -1, along_x, w);
    call.phase("checksum");
    call.array<Complex>(checksums)[t - 1] = checksum(e, w);
  }
  call.phase("");
}

}  // namespace
}  // namespace sextant::npb_ft

namespace sextant {
namespace {

namespace native {

Variant form() {
  Variant variant = npb_ft::panel_variant();
  variant.description = "panels of lines; one read and write per dimension; radix 8; SIMD across lines";
  return variant;
}

}  // namespace native

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(npb_ft)() {
  return compiled_here({
      {.name = "baseline",
       .description =
           "NPB's own structure: blocks of lines copied to a buffer, radix-2 Stockham, separate evolution",
       .launch = {.float64 = npb_ft::launch_blocks},
       .prepare = npb_ft::prepare_blocks,
       .release = npb_ft::release_blocks,
       .workspace = npb_ft::workspace_blocks},
      named("native", native::form()),
  });
}

}  // namespace sextant
