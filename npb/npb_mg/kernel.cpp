#include "suite/kernel.hpp"

#include <bit>
#include <cmath>

#include "charges.hpp"
#include "reference.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"
#include "verification.hpp"

namespace sextant {
namespace npb_mg {

namespace {

LongField zeros(std::int64_t n) { return LongField(static_cast<std::size_t>(cube(n))); }

// Calls body(x, y, z, index) for all points.
template <typename Body>
void for_points(std::int64_t n, const Body& body) {
#pragma omp parallel for schedule(static)
  for (std::int64_t z = 0; z < n; ++z)
    for (std::int64_t y = 0; y < n; ++y)
      for (std::int64_t x = 0; x < n; ++x) body(x, y, z, (z * n + y) * n + x);
}

// Returns the weighted sum over the 27 points around (x, y, z). The index of `weights` is the distance.
long double around(std::int64_t n, const long double (&weights)[4], const LongField& in, std::int64_t x,
                   std::int64_t y, std::int64_t z) {
  long double sum = 0;
  for (std::int64_t dz = -1; dz <= 1; ++dz)
    for (std::int64_t dy = -1; dy <= 1; ++dy)
      for (std::int64_t dx = -1; dx <= 1; ++dx) {
        const std::int64_t at = (((z + dz + n) % n) * n + (y + dy + n) % n) * n + (x + dx + n) % n;
        sum += weights[dx * dx + dy * dy + dz * dz] * in[static_cast<std::size_t>(at)];
      }
  return sum;
}

constexpr long double a_weights[4] = {-8.0L / 3, 0, 1.0L / 6, 1.0L / 12};
constexpr long double first_smoother[4] = {-3.0L / 8, 1.0L / 32, -1.0L / 64, 0};
constexpr long double later_smoother[4] = {-3.0L / 17, 1.0L / 33, -1.0L / 61, 0};
constexpr long double restriction[4] = {1.0L / 2, 1.0L / 4, 1.0L / 8, 1.0L / 16};

// Returns the residual r = v - A u.
LongField residual(std::int64_t n, const LongField& v, const LongField& u) {
  LongField r = zeros(n);
  apply(n, a_weights, u, r);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = v[i] - r[i];
  return r;
}

// Smooths: computes u += S r.
void smooth(std::int64_t n, bool later, const LongField& r, LongField& u) {
  LongField change = zeros(n);
  apply(n, later ? later_smoother : first_smoother, r, change);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] += change[i];
}

double norm_of(const LongField& r) {
  long double sum = 0;
  for (const long double value : r) sum += value * value;
  return static_cast<double>(std::sqrt(sum / static_cast<long double>(r.size())));
}

// Returns the coarse-grid correction u for r on a grid of side n, recursively (V-cycle).
LongField correction(std::int64_t n, bool later, const LongField& r) {
  LongField u = zeros(n);
  if (n == 2) {
    smooth(n, later, r, u);
    return u;
  }
  add_interpolated(n, correction(n / 2, later, restricted(n, r)), u);
  smooth(n, later, residual(n, r, u), u);
  return u;
}

}  // namespace

void apply(std::int64_t n, const long double (&weights)[4], const LongField& in, LongField& out) {
  for_points(n, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t at) {
    out[static_cast<std::size_t>(at)] = around(n, weights, in, x, y, z);
  });
}

LongField restricted(std::int64_t n, const LongField& fine) {
  LongField coarse = zeros(n / 2);
  for_points(n / 2, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t at) {
    coarse[static_cast<std::size_t>(at)] = around(n, restriction, fine, 2 * x + 1, 2 * y + 1, 2 * z + 1);
  });
  return coarse;
}

void add_interpolated(std::int64_t n, const LongField& coarse, LongField& fine) {
  const std::int64_t m = n / 2;
  // Fine points 2c - 1 and 2c + 1 coincide with coarse points c - 1 and c. Fine point 2c is between them.
  const auto before = [m](std::int64_t i) { return (i + 1) / 2 == i / 2 ? (i / 2 + m - 1) % m : i / 2; };
  for_points(n, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t at) {
    long double sum = 0;
    for (const std::int64_t k : {before(z), z / 2})
      for (const std::int64_t j : {before(y), y / 2})
        for (const std::int64_t i : {before(x), x / 2})
          sum += coarse[static_cast<std::size_t>((k * m + j) * m + i)];
    fine[static_cast<std::size_t>(at)] += sum / 8;
  });
}

void cycle(std::int64_t n, bool later_classes, const LongField& v, const LongField& r, LongField& u) {
  add_interpolated(n, correction(n / 2, later_classes, restricted(n, r)), u);
  smooth(n, later_classes, residual(n, v, u), u);
}

void reference_run(const Problem& problem, double* norms, double* u_out, double* r_out) {
  const std::int64_t n = side(problem);
  LongField v = zeros(n), u = zeros(n);
  const Charges charges = find_charges(n);
  for (const std::int64_t at : charges.negative) v[static_cast<std::size_t>(at)] = -1;
  for (const std::int64_t at : charges.positive) v[static_cast<std::size_t>(at)] = 1;
  LongField r = residual(n, v, u);
  norms[0] = norm_of(r);
  for (std::int64_t t = 0; t < iterations(problem); ++t) {
    cycle(n, problem.parameters[1] != 0, v, r, u);
    r = residual(n, v, u);
  }
  norms[1] = norm_of(r);
  for (std::size_t i = 0; u_out && i < u.size(); ++i) u_out[i] = static_cast<double>(u[i]);
  for (std::size_t i = 0; r_out && i < r.size(); ++i) r_out[i] = static_cast<double>(r[i]);
}

namespace {

void published(const Problem& problem, const void* const*, double* const* results) {
  const Class* known = class_of(problem);
  // Without a published value the expected result is NaN, which never compares equal. Official problem
  // classes always have one.
  results[norms][0] = std::sqrt(2.0 * charge_count / static_cast<double>(problem.extents.count()));
  results[norms][1] = known ? known->norm : NAN;
}

void by_definition(const Problem& problem, const void* const*, double* const* results) {
  reference_run(problem, results[norms], results[field_u], results[field_r]);
}

// Returns the work: operations as NPB counts them for its Mop/s (mg.f90), and bytes. A cycle takes two passes
// over the finest grid. One reads u and v and restricts r without storing it. The other reads u, v and the
// correction, and writes u. On a coarser grid r is read twice and written, u is written, and the next coarser
// u is read. Before and after the cycles u and v are read once.
Work work(const Problem& problem) {
  const std::int64_t points = problem.extents.count(), cycles = iterations(problem);
  const std::int64_t coarser = coarser_points(side(problem));
  Work all;
  all.flops = 58 * cycles * points;
  all.bytes_read = 16 * 2 * points + cycles * (33 * points + 17 * coarser);
  all.bytes_written = 8 * points + cycles * (8 * points + 16 * coarser);
  all.items = points * cycles;
  return all;
}

// Returns the access pattern of the loop in problem.hpp with one pass per operator. An element of the finest
// grid is read 7 1/8 times and written 4 1/8 times. The coarser grids together have a seventh of the points.
Traits traits(const Problem& problem) {
  const int finest = log2_of(side(problem));
  Traits traits = elementwise_traits(9, 5, Traits::not_known, Traits::not_known);
  traits.launches = static_cast<double>(iterations(problem) * (4 * finest));
  traits.depth = static_cast<double>(iterations(problem) * (4 * finest)) + 3 * finest;
  return traits;
}

const char* refuse(const Problem& problem) {
  const Extents& e = problem.extents;
  if (e.x != e.y || e.x != e.z || e.x < least_side || e.x > most_side ||
      !std::has_single_bit(static_cast<std::uint64_t>(e.x)))
    return "the grid of MG must be a cube whose side is a power of two from 4 to 1024";
  return nullptr;
}

std::int64_t elements(const Problem& problem, int index) {
  return index == norms ? 2 : problem.extents.count();
}

// Returns the largest cube whose u, r and two norms do not exceed n doubles.
Extents field_extents(std::int64_t n) {
  std::int64_t m = least_side;
  if (n < 2 * cube(m) + 2) return {0, 0, 0};
  while (m < most_side && 2 * cube(2 * m) + 2 <= n) m *= 2;
  return {m, m, m};
}

Kernel common(const char* report_name, bool with_field) {
  Kernel kernel;
  kernel.group = "program";
  kernel.dwarf = "structured";
  kernel.length = elements;
  kernel.work = work;
  kernel.traits = traits;
  kernel.refuse = refuse;
  kernel.unit = {UnitOfWork::Count::flops, "Mop/s"};
  kernel.presentation.report = {report_name, "floating point", false, 0};
  for (const Class& one : classes) kernel.classes.push_back({one.name, problem_of(one, with_field)});
  return kernel;
}

Kernel verified() {
  Kernel kernel = common("MG", false);
  kernel.name = "npb_mg";
  kernel.formula =
      "NAS MG: norm of the residual after V-cycles for A u = v; v is 20 charges in a periodic cube";
  kernel.arrays = {{"norms", Role::out}};
  kernel.reference = {.float64 = published};
  kernel.tolerance = [](const Problem&) { return Tolerance{.relative = verification_tolerance}; };
  kernel.tolerance_reason =
      "NPB's own tolerance, 1e-8 of the published norm; the same applies to the norm before the "
      "first cycle, which is that of 20 charges";
  return kernel;
}

Kernel whole_field() {
  Kernel kernel = common("MG_FIELD", true);
  kernel.name = "npb_mg_field";
  kernel.formula = "npb_mg with any power of two as side; also outputs u and r";
  kernel.arrays = {{"norms", Role::out}, {"u", Role::out}, {"r", Role::out}};
  kernel.parameters = {0, 0, 1, 0};
  kernel.parameter_list = {{"iterations", 2, 1, 50, {1, 4}}, {"smoother", 0, 0, 1, {1}}};
  kernel.extents = field_extents;
  kernel.reference = {.float64 = by_definition};
  kernel.tolerance = [](const Problem& problem) {
    const double cycles = static_cast<double>(iterations(problem) + 1), levels = log2_of(side(problem));
    return Tolerance{.absolute = 64 * levels * cycles * unit_roundoff(ElementType::float64)};
  };
  kernel.tolerance_reason =
      "|u| and |r| stay below 1 and |A| is 16/3 (sum of weights), so a residual of 21 products "
      "errs by less than 64 u. S (|S| <= 3/4) and Q (|Q| = 1) pass on less than the error of every "
      "level. A cycle reduces the errors of earlier cycles, except a constant, which A maps to "
      "zero (u = unit roundoff; first order)";
  return kernel;
}

}  // namespace
}  // namespace npb_mg

std::vector<Kernel> npb_mg_kernels() { return {npb_mg::verified(), npb_mg::whole_field()}; }

}  // namespace sextant
