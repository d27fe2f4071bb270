#include "suite/kernel.hpp"

#include <cmath>

#include "reference.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace npb_cg {

// Builds the matrix as a sum of outer products, one vector at a time, like NPB's own program. Each row is
// sorted by column, and terms are added in the order of the vectors.
std::vector<SparseRow> reference_matrix(const Problem& problem) {
  const std::int64_t n = problem.extents.x;
  std::int64_t power = 2;
  while (power < n) power *= 2;
  std::vector<SparseRow> rows(static_cast<std::size_t>(n));
  const double ratio = std::pow(condition, 1.0 / static_cast<double>(n));
  double scale = 1;
  std::uint64_t state = npb::other_seed;
  const auto draw = [&] { return npb::random_value(state = npb::random_next(state)); };
  draw();
  for (std::int64_t i = 0; i < n; ++i, scale *= ratio) {
    std::vector<std::pair<std::int64_t, double>> vector;
    const auto find = [&](std::int64_t place) {
      return std::find_if(vector.begin(), vector.end(), [=](const auto& one) { return one.first == place; });
    };
    while (static_cast<std::int64_t>(vector.size()) < nonzer(problem)) {
      const double value = draw();
      const auto place = static_cast<std::int64_t>(static_cast<double>(power) * draw());
      if (place < n && find(place) == vector.end()) vector.emplace_back(place, value);
    }
    if (find(i) == vector.end())
      vector.emplace_back(i, 0.5);
    else
      find(i)->second = 0.5;
    for (const auto& [row, in_row] : vector) {
      const double scaled = scale * in_row;
      for (const auto& [column, in_column] : vector) {
        double term = in_column * scaled;
        if (row == i && column == i) term = (term + condition) - shift(problem);
        const auto [at, is_new] = rows[static_cast<std::size_t>(row)].try_emplace(column, term);
        if (!is_new) at->second += term;
      }
    }
  }
  return rows;
}

namespace {

// Reference implementation of CG, with vectors and sums in long double.
class ByDefinition {
 public:
  explicit ByDefinition(const Problem& problem) : problem_(problem) {
    for (const SparseRow& row : reference_matrix(problem)) {
      for (const auto& [column, value] : row) {
        columns_.push_back(static_cast<std::size_t>(column));
        values_.push_back(value);
      }
      ends_.push_back(columns_.size());
    }
    for (std::vector<long double>* v : {&x_, &z_, &r_, &p_, &q_}) v->resize(ends_.size());
  }

  void run(double* zeta, double* rnorm, double* x) {
    x_.assign(x_.size(), 1);
    for (std::int64_t it = 0; it < iterations(problem_); ++it) {
      rnorm[it] = static_cast<double>(solve());
      zeta[it] = static_cast<double>(static_cast<long double>(shift(problem_)) + 1 / dot(x_, z_));
      const long double norm = std::sqrt(dot(z_, z_));
      for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = z_[i] / norm;
    }
    for (std::size_t i = 0; i < x_.size(); ++i) x[i] = static_cast<double>(x_[i]);
  }

 private:
  static long double dot(const std::vector<long double>& a, const std::vector<long double>& b) {
    long double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  void multiply(const std::vector<long double>& from, std::vector<long double>& to) const {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      long double sum = 0;
      for (std::size_t e = i == 0 ? 0 : ends_[i - 1]; e < ends_[i]; ++e)
        sum += values_[e] * from[columns_[e]];
      to[i] = sum;
    }
  }

  // Solves A z = x approximately by 25 conjugate gradient steps and returns the norm of the residual.
  long double solve() {
    z_.assign(z_.size(), 0);
    r_ = p_ = x_;
    long double rho = dot(r_, r_);
    for (int inner = 0; inner < inner_iterations; ++inner) {
      multiply(p_, q_);
      const long double alpha = rho / dot(p_, q_);
      for (std::size_t i = 0; i < z_.size(); ++i) {
        z_[i] += alpha * p_[i];
        r_[i] -= alpha * q_[i];
      }
      const long double before = rho;
      rho = dot(r_, r_);
      for (std::size_t i = 0; i < p_.size(); ++i) p_[i] = r_[i] + rho / before * p_[i];
    }
    multiply(z_, q_);
    for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = x_[i] - q_[i];
    return std::sqrt(dot(r_, r_));
  }

  const Problem& problem_;
  std::vector<std::size_t> ends_, columns_;  // ends_: offset of the end of each row
  std::vector<double> values_;
  std::vector<long double> x_, z_, r_, p_, q_;
};

}  // namespace

void reference_run(const Problem& problem, double* zeta, double* rnorm, double* x) {
  ByDefinition(problem).run(zeta, rnorm, x);
}

namespace {

constexpr double solved =
    1e-10;  // a smaller residual norm counts as zero; x has norm 1 except in the first iteration

// Stores the published zeta as the expected result. Problems outside the published classes get NaN, which
// never compares equal.
void published(const Problem& problem, const void* const*, double* const* results) {
  const Class* known = class_of(problem);
  results[zetas][0] = known ? known->zeta : std::nan("");
  results[residuals][0] = 0;
}

void by_definition(const Problem& problem, const void* const*, double* const* results) {
  reference_run(problem, results[zetas], results[residuals], results[eigenvector]);
}

std::int64_t entries(const Problem& problem) {
  const Class* known = class_of(problem);
  return known ? known->entries : most_entries(problem);
}

// Returns the work: operations as NPB counts them, and bytes. A nonzero takes a double and a 16-bit column
// number. Vectors are assumed to stay in caches.
Work work(const Problem& problem) {
  const std::int64_t n = problem.extents.x, steps = iterations(problem),
                     w = nonzer(problem) * (nonzer(problem) + 1);
  Work all;
  all.flops = 2 * steps * n * (3 + w + inner_iterations * (5 + w) + 3);
  all.bytes_read = products_an_iteration * steps * (10 * entries(problem) + 8 * n);
  all.bytes_written = products_an_iteration * steps * 8 * n;
  all.items = products_an_iteration * steps * n;
  return all;
}

// Returns the access pattern of a product in compressed sparse rows. Each nonzero reads a value, a column
// number and an element of p; each row also accesses five vector elements.
Traits traits(const Problem& problem) {
  const auto n = static_cast<double>(problem.extents.x), a_row = static_cast<double>(entries(problem)) / n;
  Traits traits = elementwise_traits(3 * a_row + 8, 4);
  traits.stride_read = n / a_row;
  traits.launches = 4.0 * static_cast<double>(products_an_iteration * iterations(problem));
  traits.depth = static_cast<double>(products_an_iteration * iterations(problem)) *
                 (levels(static_cast<std::int64_t>(a_row)) + 2 * levels(problem.extents.x));
  traits.divergence = 0.5;  // because rows have different lengths
  return traits;
}

constexpr std::int64_t fewest_rows = 4;
constexpr std::int64_t standard_iterations = 3, standard_nonzer = 7, standard_shift = 20;

const char* refuse(const Problem& problem) {
  const std::int64_t n = problem.extents.x, width = nonzer(problem);
  if (problem.extents.y != 1 || problem.extents.z != 1)
    return "the problem has a single extent, the number of rows";
  if (n < width) return "fewer rows than nonzer, the number of elements of a vector";
  if (n < fewest_rows) return "fewer than 4 rows: 25 steps reduce the residual to zero";
  if (n > INT32_MAX / 2) return "2^30 rows or more: too many for 32-bit indices";
  // Measurements show a largest eigenvalue of at most 0.18 nonzer^2 without a shift, from class S on. A
  // larger shift makes the matrix definite.
  if (!class_of(problem) && 5 * (problem.parameters[2] - 4) < width * width)
    return "the shift leaves the matrix indefinite: it must be at least nonzer^2 / 5 + 4";
  return nullptr;
}

std::int64_t elements(const Problem& problem, int index) {
  return index == eigenvector ? problem.extents.x : results(problem);
}

Kernel common(const char* report_name) {
  Kernel kernel;
  kernel.group = "program";
  kernel.dwarf = "sparse";
  kernel.family = "conjugate gradients";
  kernel.length = elements;
  kernel.work = work;
  kernel.traits = traits;
  kernel.refuse = refuse;
  kernel.unit = {UnitOfWork::Count::flops, "Mop/s"};
  kernel.presentation.report = {report_name, "floating point", false, 0};
  return kernel;
}

NamedProblem named(const Class& one, bool vector) {
  return {one.name,
          {.n = 0,
           .type = ElementType::float64,
           .extents = {one.n, 1, 1},
           .parameters = {one.iterations, one.nonzer, one.shift, vector ? 1 : 0}}};
}

Kernel verified() {
  Kernel kernel = common("CG");
  kernel.name = "npb_cg";
  kernel.formula = "NAS CG: zeta = shift + 1/(x.z), z = A^-1 x by conjugate gradients, x = z/|z|, iterated";
  kernel.arrays = {{"zeta", Role::out}, {"rnorm", Role::out}};
  kernel.reference = {.float64 = published};
  kernel.tolerance = [](const Problem&) { return Tolerance{.relative = verification_tolerance}; };
  kernel.tolerance_at = [](const Problem&, int index, std::int64_t) {
    return index == zetas ? Tolerance{.relative = verification_tolerance} : Tolerance{.absolute = solved};
  };
  kernel.tolerance_reason =
      "zeta: NPB's own tolerance, 1e-10 of the published value. Norm of the residual, which NPB "
      "only prints: 25 steps leave less than 1e-10 of x, whose norm is 1";
  for (const Class& one : classes) kernel.classes.push_back(named(one, false));
  return kernel;
}

Kernel whole_vector() {
  Kernel kernel = common("CG_VECTOR");
  kernel.name = "npb_cg_vector";
  kernel.formula = "npb_cg with any number of rows; outputs zeta of every iteration and the last x";
  kernel.arrays = {{"zeta", Role::out}, {"rnorm", Role::out}, {"x", Role::out}};
  kernel.parameters = {standard_iterations, standard_nonzer, standard_shift, 1};
  kernel.parameter_list = {{"iterations", standard_iterations, 1, 100, {1, 4}},
                           {"nonzer", standard_nonzer, 1, 31, {1, 9}},
                           {"shift", standard_shift, 4, 5000, {}}};
  kernel.extents = [](std::int64_t n) {
    const std::int64_t rows = n - 2 * standard_iterations;
    return rows < standard_nonzer ? Extents{0, 0, 0} : Extents{rows, 1, 1};
  };
  kernel.reference = {.float64 = by_definition};
  kernel.tolerance = [](const Problem&) { return Tolerance{.absolute = 1e-13}; };
  kernel.tolerance_at = [](const Problem& problem, int index, std::int64_t) {
    if (index == eigenvector) return Tolerance{.absolute = 1e-13};
    return index == zetas ? Tolerance{.relative = 1e-13}
                          : Tolerance{.absolute = solved * std::sqrt(static_cast<double>(problem.extents.x))};
  };
  kernel.tolerance_reason =
      "after 25 steps the error of x is the matrix's condition number (at most 10 with the "
      "required shift) times the error of a product: the nonzeros of a row, of magnitude at most "
      "20, err by u each, with random signs (u = unit roundoff). Elements of x are at most 1; the "
      "tolerance for them and for zeta is 1e-13 (900 u). A residual below 1e-10 of x, whose norm "
      "is sqrt(n) at first, counts as zero";
  kernel.sizes = {1406, 7006};
  for (const Class& one : classes)
    if (one.n <= 14000) kernel.classes.push_back(named(one, true));
  return kernel;
}

}  // namespace
}  // namespace npb_cg

std::vector<Kernel> npb_cg_kernels() { return {npb_cg::verified(), npb_cg::whole_vector()}; }

}  // namespace sextant
