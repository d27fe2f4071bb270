#include "suite/kernel.hpp"

#include <algorithm>
#include <bit>

#include "reference.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"
#include "toolbox/share.hpp"
#include "verification.hpp"

namespace sextant {
namespace npb_ft {

void transform_by_halves(std::int64_t n, std::int64_t stride, const LongComplex* in, LongComplex* out,
                         const LongComplex* roots) {
  if (n == 1) {
    *out = *in;
    return;
  }
  const std::int64_t half = n / 2;
  transform_by_halves(half, 2 * stride, in, out, roots);
  transform_by_halves(half, 2 * stride, in + stride, out + half, roots);
  for (std::int64_t k = 0; k < half; ++k) {
    const LongComplex w = roots[k * stride], even = out[k], odd = out[k + half];
    const LongComplex turned = {odd.re * w.re - odd.im * w.im, odd.re * w.im + odd.im * w.re};
    out[k] = {even.re + turned.re, even.im + turned.im};
    out[k + half] = {even.re - turned.re, even.im - turned.im};
  }
}

void transform_field(const Extents& e, int sign, LongField& data) {
  const std::int64_t lengths[] = {e.x, e.y, e.z}, strides[] = {1, e.x, e.x * e.y};
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t n = lengths[axis], stride = strides[axis], lines = e.count() / n;
    std::vector<LongComplex> roots;
    for (std::int64_t j = 0; j < n; ++j) {
      const long double angle = 2 * long_pi * static_cast<long double>(j) / static_cast<long double>(n);
      roots.push_back({std::cos(angle), sign * std::sin(angle)});
    }
#pragma omp parallel
    {
      std::vector<LongComplex> in(static_cast<std::size_t>(n)), out(in.size());
#pragma omp for schedule(static)
      for (std::int64_t line = 0; line < lines; ++line) {
        LongComplex* first = data.data() + line / stride * stride * n + line % stride;
        for (std::int64_t j = 0; j < n; ++j) in[static_cast<std::size_t>(j)] = first[j * stride];
        transform_by_halves(n, 1, in.data(), out.data(), roots.data());
        for (std::int64_t j = 0; j < n; ++j) first[j * stride] = out[static_cast<std::size_t>(j)];
      }
    }
  }
}

namespace {

LongField random_start(const Extents& e) {
  LongField u(static_cast<std::size_t>(e.count()));
  std::uint64_t state = npb::other_seed;
  for (LongComplex& value : u) {
    value.re = npb::random_value(state = npb::random_next(state));
    value.im = npb::random_value(state = npb::random_next(state));
  }
  return u;
}

// Multiplies `w`, a copy of U, by the decay factors of t steps.
void evolve(const Extents& e, std::int64_t t, LongField& w) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < e.count(); ++i) {
    const auto kx = static_cast<long double>(wave_number(i % e.x, e.x)),
               ky = static_cast<long double>(wave_number(i / e.x % e.y, e.y)),
               kz = static_cast<long double>(wave_number(i / e.x / e.y, e.z));
    const long double factor =
        std::exp(-4e-6L * long_pi * long_pi * static_cast<long double>(t) * (kx * kx + ky * ky + kz * kz));
    LongComplex& value = w[static_cast<std::size_t>(i)];
    value.re *= factor;
    value.im *= factor;
  }
}

LongComplex checksum(const Extents& e, const LongField& w) {
  LongComplex sum = {0, 0};
  for (std::int64_t j = 1; j <= checksum_points; ++j) {
    const LongComplex& value = w[static_cast<std::size_t>(checksum_index(e, j))];
    sum.re += value.re;
    sum.im += value.im;
  }
  const auto count = static_cast<long double>(e.count());
  return {sum.re / count, sum.im / count};
}

}  // namespace

void reference_run(const Problem& problem, double* sums, double* last) {
  const Extents& e = problem.extents;
  LongField u = random_start(e), w;
  transform_field(e, +1, u);
  for (std::int64_t t = 1; t <= iterations(problem); ++t) {
    w = u;
    evolve(e, t, w);
    transform_field(e, -1, w);
    const LongComplex sum = checksum(e, w);
    sums[2 * t - 2] = static_cast<double>(sum.re);
    sums[2 * t - 1] = static_cast<double>(sum.im);
  }
  if (!last) return;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < e.count(); ++i) {
    last[2 * i] = static_cast<double>(w[static_cast<std::size_t>(i)].re);
    last[2 * i + 1] = static_cast<double>(w[static_cast<std::size_t>(i)].im);
  }
}

// Returns the result of `steps` steps from a unit impulse on a periodic line of n points. It is the inverse
// transform of the decay factors.
std::vector<double> heat_kernel(std::int64_t n, std::int64_t steps) {
  constexpr long double circle = 2 * 3.141592653589793238462643383279502884L;
  std::vector<long double> cosines, decays;
  for (std::int64_t j = 0; j < n; ++j) {
    const auto k = static_cast<long double>(wave_number(j, n));
    cosines.push_back(std::cos(circle * static_cast<long double>(j) / static_cast<long double>(n)));
    decays.push_back(std::exp(-1e-6L * circle * circle * static_cast<long double>(steps) * k * k));
  }
  std::vector<double> kernel;
  for (std::int64_t j = 0; j < n; ++j) {
    long double sum = 0;
    for (std::int64_t k = 0; k < n; ++k)
      sum += decays[static_cast<std::size_t>(k)] * cosines[static_cast<std::size_t>(j * k % n)];
    kernel.push_back(static_cast<double>(sum / static_cast<long double>(n)));
  }
  return kernel;
}

// Convolves every line along one axis: out[j] = sum over m of kernel[(j - m) mod n] in[m].
void convolve_along(const Extents& e, std::int64_t n, std::int64_t stride, const std::vector<double>& kernel,
                    Complex* data) {
  std::vector<double> twice = kernel;  // two copies, so that a row of the circulant matrix is contiguous
  twice.insert(twice.end(), kernel.begin(), kernel.end());
  const std::int64_t lines = e.count() / n;
#pragma omp parallel
  {
    const auto size = static_cast<std::size_t>(n);
    std::vector<double> re(size), im(size);
#pragma omp for schedule(static)
    for (std::int64_t line = 0; line < lines; ++line) {
      Complex* first = data + line / stride * stride * n + line % stride;
      std::fill(re.begin(), re.end(), 0.0);
      std::fill(im.begin(), im.end(), 0.0);
      double *real = re.data(), *imaginary = im.data();
      for (std::int64_t m = 0; m < n; ++m) {
        const Complex in = first[m * stride];
        const double* row = twice.data() + n - m;
#pragma omp simd
        for (std::int64_t j = 0; j < n; ++j) {
          real[j] += row[j] * in.re;
          imaginary[j] += row[j] * in.im;
        }
      }
      for (std::int64_t j = 0; j < n; ++j) first[j * stride] = {real[j], imaginary[j]};
    }
  }
}

void convolved_run(const Problem& problem, double* sums, double* last) {
  const Extents& e = problem.extents;
  auto* w = reinterpret_cast<Complex*>(last);
  const auto points = static_cast<double>(e.count());  // a power of two, so scaling by it is exact
  std::uint64_t state = npb::other_seed;
  for (std::int64_t i = 0; i < 2 * e.count(); ++i)
    last[i] = points * npb::random_value(state = npb::random_next(state));
  const Class* known = class_of(problem);
  const std::int64_t stride =
      // A problem class has published checksums, so one convolution does all steps.
      known ? iterations(problem) : 1;
  for (std::int64_t t = 0; t < iterations(problem); t += stride) {
    convolve_along(e, e.x, 1, heat_kernel(e.x, stride), w);
    convolve_along(e, e.y, e.x, heat_kernel(e.y, stride), w);
    convolve_along(e, e.z, e.x * e.y, heat_kernel(e.z, stride), w);
    Complex sum = {0, 0};
    for (std::int64_t j = 1; j <= checksum_points; ++j) {
      sum.re += w[checksum_index(e, j)].re / points;
      sum.im += w[checksum_index(e, j)].im / points;
    }
    sums[2 * t] = sum.re;
    sums[2 * t + 1] = sum.im;
  }
  for (std::int64_t t = 0; known && t < iterations(problem); ++t) {
    sums[2 * t] = known->checksums[t].re;
    sums[2 * t + 1] = known->checksums[t].im;
  }
}

namespace {

// Maximum number of points for the reference in long double, which is too slow for larger fields.
constexpr std::int64_t by_definition_most = std::int64_t{1} << 19;

void published(const Problem& problem, const void* const*, double* const* results) {
  const Class* known = class_of(problem);
  for (std::int64_t t = 0; t < iterations(problem); ++t) {
    // Without published values the expected result is NaN, which never compares equal. Official problem
    // classes always have values.
    const Complex value = known ? known->checksums[t] : Complex{NAN, NAN};
    results[checksums][2 * t] = value.re;
    results[checksums][2 * t + 1] = value.im;
  }
}

void by_definition(const Problem& problem, const void* const*, double* const* results) {
  if (problem.extents.count() <= by_definition_most)
    reference_run(problem, results[checksums], results[field]);
  else
    convolved_run(problem, results[checksums], results[field]);
}

// Returns the bytes sent by the GPU or rank with the most data. It has planes before the transposition and
// rows after it. Each transposition sends everything outside the intersection of both: once for the initial
// field, then in each step. The checksums are added.
std::int64_t bytes_sent(const Problem& problem) {
  if (problem.parts == 1) return 0;
  const Extents& e = problem.extents;
  std::int64_t most = 0;
  for (int part = 0; part < problem.parts; ++part) {
    const std::int64_t planes = share_of(e.z, problem.parts, part).count,
                       rows = share_of(e.y, problem.parts, part).count;
    most = std::max(most, planes * (e.y - rows) + iterations(problem) * rows * (e.z - planes));
  }
  return most * e.x * static_cast<std::int64_t>(sizeof(Complex)) + 16 * iterations(problem);
}

// Returns the work: operations as NPB counts them for its Mop/s (ft.f90), and bytes. A transform is three
// passes that read and write the field. The first pass reads nothing, because the initial field need not be
// stored. Multiplication by the decay factors is part of a pass.
Work work(const Problem& problem) {
  const auto points = static_cast<double>(problem.extents.count()), log = std::log(points);
  const auto steps = static_cast<double>(iterations(problem));
  Work all;
  all.flops = std::llround(points * (14.8157 + 7.19641 * log + (5.23518 + 7.21113 * log) * steps));
  all.bytes_read = field_bytes(problem) * (2 + 3 * iterations(problem));
  all.bytes_written = field_bytes(problem) * (3 + 3 * iterations(problem));
  all.items = problem.extents.count() * iterations(problem);
  all.bytes_sent = bytes_sent(problem);
  return all;
}

// Returns the access pattern of the passes that `work` counts, with two doubles per point. The access stride
// along y and z depends on the variant.
Traits traits(const Problem& problem) {
  const auto steps = static_cast<double>(iterations(problem));
  Traits traits = elementwise_traits(2 * (2 + 3 * steps) / steps, 2 * (3 + 3 * steps) / steps,
                                     Traits::not_known, Traits::not_known);
  traits.special_flops = Traits::not_known;
  traits.launches = 3 + 3 * steps;
  traits.depth =
      // Depth of the butterflies of both transforms; steps are independent of each other.
      2 * levels(problem.extents.count());
  return traits;
}

const char* refuse(const Problem& problem) {
  const Extents& e = problem.extents;
  for (const std::int64_t n : {e.x, e.y, e.z})
    if (n < 2 || n > longest || !std::has_single_bit(static_cast<std::uint64_t>(n)))
      return "every extent of FT must be a power of two from 2 to 4096";
  return nullptr;
}

std::int64_t elements(const Problem& problem, int index) {
  return index == checksums ? 2 * iterations(problem) : 2 * problem.extents.count();
}

constexpr std::int64_t standard_steps = 2;  // number of steps if the field belongs to no problem class

// Returns the largest field whose doubles, including the checksums, do not exceed n. It is as close to a cube
// as powers of two allow, with x longest.
Extents field_extents(std::int64_t n) {
  Extents e = {2, 2, 2};
  if (n < 2 * e.count() + 2 * standard_steps) return {0, 0, 0};
  for (std::int64_t* next = &e.x; 2 * (2 * e.count()) + 2 * standard_steps <= n && e.z < longest;) {
    *next *= 2;
    next = next == &e.x ? &e.y : next == &e.y ? &e.z : &e.x;
  }
  return e;
}

Kernel common(const char* report_name) {
  Kernel kernel;
  kernel.group = "program";
  kernel.dwarf = "spectral";
  kernel.family = "transform";
  kernel.length = elements;
  kernel.work = work;
  kernel.traits = traits;
  kernel.refuse = refuse;
  kernel.exchange = {Exchange::Pattern::all_to_all, 0};  // one transform per iteration, one before the first
  kernel.unit = {UnitOfWork::Count::flops, "Mop/s"};
  kernel.presentation.report = {report_name, "floating point", false, 0};
  return kernel;
}

Kernel verified() {
  Kernel kernel = common("FT");
  kernel.name = "npb_ft";
  kernel.formula = "NAS FT: checksums of iterations of w = inverse(U * decay), U = 3-D transform of random u";
  kernel.arrays = {{"checksums", Role::out}};
  kernel.reference = {.float64 = published};
  kernel.tolerance = [](const Problem&) { return Tolerance{.relative = verification_tolerance}; };
  kernel.tolerance_reason =
      "NPB's own tolerance, 1e-12 of the complex modulus, applied to real and imaginary part "
      "separately, which is stricter: if each errs by at most 1e-12 of itself, so does the modulus";
  for (const Class& one : classes)
    kernel.classes.push_back({one.name,
                              {.n = 0,
                               .type = ElementType::float64,
                               .extents = one.extents,
                               .parameters = {one.iterations, 0, 0, 0}}});
  return kernel;
}

Kernel whole_field() {
  Kernel kernel = common("FT_FIELD");
  kernel.name = "npb_ft_field";
  kernel.formula = "npb_ft with any shape that fits in memory; also outputs the last w";
  kernel.arrays = {{"checksums", Role::out}, {"w", Role::out}};
  kernel.parameters = {0, 1, 0, 0};
  kernel.parameter_list = {{"iterations", standard_steps, 1, 25, {1, 3}}};
  kernel.shaped = true;
  kernel.extents = field_extents;
  kernel.reference = {.float64 = by_definition};
  kernel.tolerance = [](const Problem& problem) {
    const auto points = static_cast<double>(problem.extents.count());
    const double u = unit_roundoff(ElementType::float64);
    return Tolerance{
        .absolute = (16 * std::log2(points) + 4 * static_cast<double>(iterations(problem))) * u * points,
        .relative = checksum_points * u};
  };
  kernel.tolerance_reason =
      "each of two transforms errs by at most 8 u log2 N of the field's norm (Higham, Accuracy and "
      "Stability of Numerical Algorithms, theorem 24.2), spread over elements of about N, and a "
      "step errs by 4 u; a checksum adds 1024 terms of one sign, which errs by 1024 u of it (u = "
      "unit roundoff, N = points)";
  for (const Class& one : classes)
    kernel.classes.push_back({one.name,
                              {.n = 0,
                               .type = ElementType::float64,
                               .extents = one.extents,
                               .parameters = {one.iterations, 1, 0, 0}}});
  return kernel;
}

}  // namespace
}  // namespace npb_ft

std::vector<Kernel> npb_ft_kernels() { return {npb_ft::verified(), npb_ft::whole_field()}; }

}  // namespace sextant
