
#include <openacc.h>

#include <algorithm>
#include <memory>

#include "problem.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/butterfly.hpp"
#include "toolbox/openacc/pack.hpp"

// In-place FFT with passes of radix 8 or 16. A pass is a loop over butterflies, one per thread; adjacent
// threads have adjacent x. The forward transform leaves U in digit-reversed order (decimation in frequency).
// The inverse transform starts from that order (decimation in time), so nothing is reordered. Its first pass,
// along z, reads U, multiplies by the decay factors and writes w.
//
// A pass reads and writes the field once. NAS problem class B has 3 passes along x, and with radix 16 two
// along y and two along z: 7 in total. cuda.passes has 3.
namespace sextant::npb_ft {
namespace {

struct Passes {
  int vector_length = 128, radix = 16;
};

struct State {
  Complex *u = nullptr, *w = nullptr, *own_w = nullptr;
  double* decay = nullptr;   // decay factors of each step: for x, y and z, in the order of U
  Complex* roots = nullptr;  // for x, y and z: (cos, sin) of 2 pi k / n
};

// Returns the frequency that a forward transform stores at index i of n (digit reversal). `most` is the
// largest radix. The first radix divides a line into as many blocks; block k has the frequencies k modulo
// that radix.
SEXTANT_INLINE std::int64_t frequency_at(std::int64_t i, std::int64_t n, std::int64_t most) {
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

void set_tables(const Extents& e, std::int64_t steps, std::int64_t most, double* decays, Complex* roots) {
  const std::int64_t entries = axis_entries(e), ex = e.x, ey = e.y, ez = e.z;
#pragma acc parallel loop gang vector vector_length(128) deviceptr(decays, roots)
  for (std::int64_t k = 0; k < entries; ++k) {
    const std::int64_t n = k < ex ? ex : (k < ex + ey ? ey : ez);
    const std::int64_t i = k < ex ? k : (k < ex + ey ? k - ex : k - ex - ey);
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(n);
    roots[k].re = __builtin_cos(angle);
    roots[k].im = __builtin_sin(angle);
    const std::int64_t frequency = frequency_at(i, n, most);
    const auto wave = static_cast<double>(frequency < n / 2 ? frequency : frequency - n);
    for (std::int64_t t = 1; t <= steps; ++t)
      decays[(t - 1) * entries + k] =
          __builtin_exp(-4 * diffusion * pi * pi * static_cast<double>(t) * wave * wave);
  }
}

// Generates the random initial field with swapped real and imaginary parts, so that one direction of
// transforms suffices (panels.hpp).
void set_start(std::int64_t count, Complex* u) {
  constexpr std::int64_t run = 16;  // elements per thread
  const std::int64_t runs = (count + run - 1) / run;
#pragma acc parallel loop gang vector vector_length(128) deviceptr(u)
  for (std::int64_t thread = 0; thread < runs; ++thread) {
    std::uint64_t state = npb::random_skip(npb::other_seed, static_cast<std::uint64_t>(2 * thread));
    constexpr std::uint64_t one = npb::random_multiplier;
    const std::uint64_t jump = npb::random_jump(static_cast<std::uint64_t>(2 * (runs - 1)));
    for (std::int64_t i = thread; i < count; i += runs) {
      state = state * one & npb::random_mask;
      u[i].im = static_cast<double>(static_cast<std::int64_t>(state)) * 0x1p-46;
      state = state * one & npb::random_mask;
      u[i].re = static_cast<double>(static_cast<std::int64_t>(state)) * 0x1p-46;
      state = state * jump & npb::random_mask;
    }
  }
}

// The lines of one dimension. They have 2^bits elements at a distance of 2^stride_bits; `table` is the offset
// of the dimension's tables. Powers of two avoid divisions, which would cost more than the butterfly.
struct Axis {
  int bits, stride_bits;
  std::int64_t table;
};

// Indices for one butterfly. Its element j is at first + j * step; the twiddle factor of element j is root
// number j * turn.
struct Place {
  std::int64_t first, step, turn;
};

// Returns the indices for butterfly i in a pass of `radix`. The pass works in blocks of 2^block_bits elements
// of each line.
template <int radix>
SEXTANT_INLINE Place place_of(std::int64_t i, Axis axis, int block_bits) {
  constexpr int radix_bits = radix == 2 ? 1 : radix == 4 ? 2 : radix == 8 ? 3 : 4;
  const int part_bits = block_bits - radix_bits;
  const std::int64_t low = i & ((std::int64_t{1} << axis.stride_bits) - 1), rest = i >> axis.stride_bits;
  const std::int64_t p = rest & ((std::int64_t{1} << part_bits) - 1), number = rest >> part_bits;
  return {(((number << block_bits) + p) << axis.stride_bits) + low,
          std::int64_t{1} << (part_bits + axis.stride_bits), p << (axis.bits - block_bits)};
}

SEXTANT_INLINE void get(const Complex* from, double& re, double& im) {
  double parts[2];
  openacc::load_pack(&from->re, parts);
  re = parts[0];
  im = parts[1];
}

SEXTANT_INLINE void put(Complex* to, double re, double im) {
  const double parts[2] = {re, im};
  openacc::store_pack(&to->re, parts);
}

template <int radix>
SEXTANT_INLINE void turn(const Complex* roots, std::int64_t by, double* re, double* im) {
#pragma GCC unroll 16
  for (int k = 1; k < radix; ++k) {
    double cosine, sine;
    get(roots + k * by, cosine, sine);
    rotate(re[k], im[k], cosine, sine);
  }
}

// Performs one pass in place. The forward transform applies twiddle factors after the butterflies, the
// inverse transform before them.
template <int radix, int V, bool forward>
void pass(std::int64_t count, Axis axis, int block_bits, const Complex* roots, Complex* data) {
  const std::int64_t butterflies = count / radix;
  const int gangs = openacc::gangs_for(butterflies, V);
#pragma acc parallel loop gang(static : 1) vector vector_length(V) num_gangs(gangs) deviceptr(data, roots)
  for (std::int64_t i = 0; i < butterflies; ++i) {
    const Place at = place_of<radix>(i, axis, block_bits);
    double re[radix], im[radix];
#pragma GCC unroll 16
    for (int k = 0; k < radix; ++k) get(data + at.first + k * at.step, re[k], im[k]);
    if (!forward) turn<radix>(roots, at.turn, re, im);
    butterfly<radix>(re, im);
    if (forward) turn<radix>(roots, at.turn, re, im);
#pragma GCC unroll 16
    for (int k = 0; k < radix; ++k) put(data + at.first + k * at.step, re[k], im[k]);
  }
}

// Performs the first pass of the inverse transform, along z from U to w. Its blocks are single butterflies,
// so it needs no twiddle factors. It multiplies by the decay factors and swaps real and imaginary parts.
template <int radix, int V>
void evolving_pass(std::int64_t count, Axis axis, int x_bits, const double* of_x, const double* of_y,
                   const double* of_z, const Complex* u, Complex* w) {
  const std::int64_t butterflies = count / radix, x_mask = (std::int64_t{1} << x_bits) - 1;
  const int gangs = openacc::gangs_for(butterflies, V);
#pragma acc parallel loop gang(static : 1) vector vector_length(V) num_gangs(gangs) \
    deviceptr(u, w, of_x, of_y, of_z)
  for (std::int64_t i = 0; i < butterflies; ++i) {
    const std::int64_t low = i & ((std::int64_t{1} << axis.stride_bits) - 1), group = i >> axis.stride_bits;
    const std::int64_t first = ((group * radix) << axis.stride_bits) + low;
    const double common = of_x[low & x_mask] * of_y[low >> x_bits];
    double re[radix], im[radix];
#pragma GCC unroll 16
    for (int k = 0; k < radix; ++k) {
      const double factor = common * of_z[group * radix + k];
      get(u + first + (static_cast<std::int64_t>(k) << axis.stride_bits), im[k], re[k]);
      re[k] *= factor;
      im[k] *= factor;
    }
    butterfly<radix>(re, im);
#pragma GCC unroll 16
    for (int k = 0; k < radix; ++k)
      put(w + first + (static_cast<std::int64_t>(k) << axis.stride_bits), re[k], im[k]);
  }
}

void add(Extents e, const Complex* w, double* sums, std::int64_t length, std::int64_t t) {
  const double scale = 1.0 / static_cast<double>(e.count());
#pragma acc parallel num_gangs(1) vector_length(256) deviceptr(w) present(sums [0:length])
  {
    double re = 0, im = 0;
#pragma acc loop vector reduction(+ : re, im)
    for (std::int64_t j = 1; j <= checksum_points; ++j) {
      const std::int64_t at = (5 * j % e.z * e.y + 3 * j % e.y) * e.x + j % e.x;
      re += w[at].re;
      im += w[at].im;
    }
    sums[2 * t] = re * scale;
    sums[2 * t + 1] = im * scale;
  }
}

template <int V>
struct Program {
  const Call& call;
  const State& state;
  Extents e;
  std::int64_t most;
  int most_bits;
  Axis axes[3];

  explicit Program(const Call& call_)
      : call(call_),
        state(*static_cast<const State*>(call_.state)),
        e(call_.problem.extents),
        most(call_.tuned<Passes>().radix),
        most_bits(log2_of(most)) {
    const int x = log2_of(e.x), y = log2_of(e.y), z = log2_of(e.z);
    axes[0] = {x, 0, 0};
    axes[1] = {y, x, e.x};
    axes[2] = {z, x + y, e.x + e.y};
  }

  template <typename Function>
  static void with_radix(int bits, Function&& function) {
    Choices<2, 4, 8, 16>::with(1 << bits, function);
  }

  void forward(int axis) const {
    const Axis along = axes[axis];
    for (int block = along.bits; block > 0;) {
      const int radix = std::min(block, most_bits);
      with_radix(radix, [&]<int R>() {
        pass<R, V, true>(e.count(), along, block, state.roots + along.table, state.u);
      });
      block -= radix;
    }
  }

  // Performs the inverse transform along one axis. It uses the radices of `forward` in reverse order; its
  // first radix may be smaller than the others.
  void inverse(int axis, std::int64_t t) const {
    const Axis along = axes[axis];
    const double* of_x = state.decay + (t - 1) * axis_entries(e);
    int radix = (along.bits - 1) % most_bits + 1;
    for (int block = radix; block <= along.bits; radix = most_bits, block += most_bits)
      with_radix(radix, [&]<int R>() {
        if (axis == 2 && block == radix)
          evolving_pass<R, V>(e.count(), along, axes[1].stride_bits, of_x, of_x + e.x, of_x + e.x + e.y,
                              state.u, state.w);
        else
          pass<R, V, false>(e.count(), along, block, state.roots + along.table, state.w);
      });
  }

  void run() const {
    static constexpr const char* names[] = {"fft_x", "fft_y", "fft_z"};
    const std::int64_t steps = iterations(call.problem);
    call.phase("setup");
    set_tables(e, steps, most, state.decay, state.roots);
    set_start(e.count(), state.u);
    for (int axis = 0; axis < 3; ++axis) {
      call.phase(names[axis]);
      forward(axis);
    }
    for (std::int64_t t = 1; t <= steps; ++t) {
      for (int axis = 2; axis >= 0; --axis) {
        call.phase(names[axis]);  // the first pass along z includes the decay factors
        inverse(axis, t);
      }
      call.phase("checksum");
      add(e, state.w, call.array<double>(checksums), 2 * steps, t - 1);
    }
    call.phase("");
  }
};

}  // namespace
}  // namespace sextant::npb_ft

namespace sextant {
namespace {

using namespace npb_ft;
using VectorLengths = Choices<64, 128, 256>;

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  for (void* memory : {static_cast<void*>(mine->u), static_cast<void*>(mine->own_w),
                       static_cast<void*>(mine->decay), static_cast<void*>(mine->roots)})
    if (memory) acc_free(memory);
  delete mine;
}

std::int64_t table_bytes(const Problem& problem) {
  return axis_entries(problem.extents) * (16 + 8 * iterations(problem));
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  const std::int64_t entries = axis_entries(call.problem.extents);
  const auto bytes = static_cast<std::size_t>(field_bytes(call.problem));
  mine->u = static_cast<Complex*>(acc_malloc(bytes));
  if (!with_field(call.problem)) mine->own_w = static_cast<Complex*>(acc_malloc(bytes));
  mine->w =
      with_field(call.problem) ? static_cast<Complex*>(acc_deviceptr(call.address(field))) : mine->own_w;
  mine->decay = static_cast<double*>(
      acc_malloc(static_cast<std::size_t>(iterations(call.problem) * entries) * sizeof(double)));
  mine->roots = static_cast<Complex*>(acc_malloc(static_cast<std::size_t>(entries) * sizeof(Complex)));
  if (!mine->u || !mine->w || !mine->decay || !mine->roots) {
    release(mine);
    return "device memory ran out";
  }
  *state = mine;
  return nullptr;
}

void launch(const Call& call) {
  VectorLengths::with(call.tuned<Passes>().vector_length, [&]<int V>() { Program<V>(call).run(); });
}

// Chooses the radix with fewer passes. If both need equally many, chooses 8, which needs half the registers.
void adapt(const Problem& problem, Passes& passes) {
  const Extents& e = problem.extents;
  int passes_of_8 = 0, passes_of_16 = 0;
  for (const std::int64_t n : {e.x, e.y, e.z}) {
    passes_of_8 += (log2_of(n) + 2) / 3;
    passes_of_16 += (log2_of(n) + 3) / 4;
  }
  passes.radix = passes_of_8 <= passes_of_16 ? 8 : 16;
}

}  // namespace

std::vector<Variant> npb_ft_openacc() {
  return {{.name = "passes",
           .description =
               "one loop over butterflies per pass, in place, without reordering; adjacent threads along x",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Passes>({{"vector_length", &Passes::vector_length, VectorLengths::list()},
                                         {"radix", &Passes::radix, {8, 16}}}),
           .launch = {.float64 = launch},
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = release,
           .workspace = [](const Problem& problem, const int*) {
             return state_bytes(problem) + table_bytes(problem);
           }}};
}

}  // namespace sextant
