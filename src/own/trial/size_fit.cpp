#include "own/trial/size_fit.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "own/description/expression.hpp"

namespace sextant::own {
namespace {

// A product of sizes, given by their indices.
using Term = std::vector<std::size_t>;

std::vector<Term> terms_of(std::size_t sizes) {
  std::vector<Term> terms = {{}};
  for (std::size_t i = 0; i < sizes; ++i) terms.push_back({i});
  for (std::size_t i = 0; i < sizes; ++i)
    for (std::size_t j = i; j < sizes; ++j)
      if (i != j || sizes <= 3) terms.push_back({i, j});
  if (sizes == 3) terms.push_back({0, 1, 2});
  for (std::size_t i = 0; sizes < 3 && i < sizes; ++i)
    for (std::size_t j = i; j < sizes; ++j) {
      terms.push_back({i, i, j});
      if (i != j) terms.push_back({i, j, j});
    }
  return terms;
}

double value_of(const Term& term, const std::vector<std::int64_t>& sizes) {
  double product = 1;
  for (const std::size_t one : term) product *= static_cast<double>(sizes[one]);
  return product;
}

// Solves the normal equations of a least-squares fit. Returns nothing if they have no unique solution.
std::optional<std::vector<double>> solved(const std::vector<Term>& terms,
                                          const std::vector<Observation>& all) {
  const std::size_t count = terms.size();
  std::vector<std::vector<long double>> rows(count, std::vector<long double>(count + 1, 0));
  for (const Observation& one : all)
    for (std::size_t i = 0; i < count; ++i) {
      const long double a = value_of(terms[i], one.sizes);
      for (std::size_t j = 0; j < count; ++j) rows[i][j] += a * value_of(terms[j], one.sizes);
      rows[i][count] += a * static_cast<long double>(one.number);
    }
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t best = i;
    for (std::size_t j = i; j < count; ++j)
      if (std::fabs(rows[j][i]) > std::fabs(rows[best][i])) best = j;
    std::swap(rows[i], rows[best]);
    if (std::fabs(rows[i][i]) < 1e-9L) return {};
    for (std::size_t j = 0; j < count; ++j) {
      if (j == i) continue;
      const long double factor = rows[j][i] / rows[i][i];
      for (std::size_t k = i; k <= count; ++k) rows[j][k] -= factor * rows[i][k];
    }
  }
  std::vector<double> factors;
  for (std::size_t i = 0; i < count; ++i) factors.push_back(static_cast<double>(rows[i][count] / rows[i][i]));
  return factors;
}

std::optional<std::int64_t> value_at(const std::string& text, const SizeFit& fit,
                                     const std::vector<std::int64_t>& sizes) try {
  return Expression(text, fit.names, "a length").at(sizes);
} catch (const UserError&) {
  return {};
}

// Returns expressions that array lengths often are.
std::vector<std::string> usual_lengths(const SizeFit& fit) {
  std::vector<std::string> products;
  const std::vector<std::string>& names = fit.names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    products.push_back(names[i]);
    for (std::size_t j = i; j < names.size(); ++j) {
      products.push_back(names[i] + " * " + names[j]);
      products.push_back("(" + names[i] + " + 1) * (" + names[j] + " + 1)");
      for (std::size_t k = j; k < names.size(); ++k)
        products.push_back(names[i] + " * " + names[j] + " * " + names[k]);
    }
  }
  std::vector<std::string> all = products;
  std::set<std::int64_t> blocks(fit.constants.begin(), fit.constants.end());
  for (std::int64_t one = 2; one <= 1024; one *= 2) blocks.insert(one);
  for (const std::string& one : products) {
    all.push_back(one + " + 1");
    for (const int factor : {2, 3, 4, 8}) all.push_back(std::to_string(factor) + " * " + one);
    if (one.find(' ') != std::string::npos) continue;
    for (const std::string& other : names) all.push_back(one + " + " + other);
    for (const std::int64_t block : blocks) {
      const std::string count = "ceil_div(" + one + ", " + std::to_string(block) + ")";
      all.push_back(count);
      all.push_back(std::to_string(block) + " * " + count);
    }
  }
  for (int power = 0; power <= 24; ++power) all.push_back(std::to_string(1 << power));
  for (const std::int64_t one : fit.constants)
    if (one > 1) all.push_back(std::to_string(one)), all.push_back(std::to_string(one + 1));
  return all;
}

// Returns the usual length that is nearest to the numbers, on one side of them.
std::optional<std::string> nearest(const SizeFit& fit, const std::vector<Observation>& observed, bool above) {
  std::optional<std::string> best;
  double least = INFINITY;
  for (const std::string& text : usual_lengths(fit)) {
    double distance = 0;
    for (const Observation& one : observed) {
      const std::optional<std::int64_t> value = value_at(text, fit, one.sizes);
      if (!value || *value < 1 || (above ? *value < one.number : *value > one.number)) {
        distance = INFINITY;
        break;
      }
      distance += std::fabs(
          std::log(static_cast<double>(*value) / static_cast<double>(std::max<std::int64_t>(one.number, 1))));
    }
    // A shorter expression comes first among equals.
    if (distance < least - 1e-9 || (best && distance < least + 1e-9 && text.size() < best->size()))
      least = std::min(least, distance), best = text;
  }
  return std::isfinite(least) ? best : std::nullopt;
}

}  // namespace

std::optional<Polynomial> exact_fit(const SizeFit& fit, const std::vector<Observation>& observed) {
  const std::vector<Term> terms = terms_of(fit.names.size());
  if (observed.size() <= terms.size()) return {};
  const std::optional<std::vector<double>> factors = solved(terms, observed);
  if (!factors) return {};
  Polynomial sum(0);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    Polynomial term(std::llround((*factors)[i]));
    for (const std::size_t one : terms[i]) term = term * Polynomial::of(fit.names[one]);
    sum = sum + term;
  }
  for (const Observation& one : observed)
    if (value_at(sum.text(), fit, one.sizes) != one.number) return {};
  return sum;
}

std::optional<std::string> upper_fit(const SizeFit& fit, const std::vector<Observation>& observed) {
  return nearest(fit, observed, true);
}

std::optional<std::string> tight_fit(const SizeFit& fit, const std::vector<Observation>& observed) {
  if (const std::optional<Polynomial> exact = exact_fit(fit, observed)) return exact->text();
  std::optional<std::string> upper = upper_fit(fit, observed);
  for (const Observation& one : observed)
    if (upper && value_at(*upper, fit, one.sizes) != one.number) upper.reset();
  return upper;
}

std::optional<std::string> lower_fit(const SizeFit& fit, const std::vector<Observation>& observed) {
  return nearest(fit, observed, false);
}

}  // namespace sextant::own
