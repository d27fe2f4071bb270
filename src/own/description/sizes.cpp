#include "own/description/sizes.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "own/description/description_reader.hpp"

namespace sextant::own {
namespace {

constexpr std::int64_t checked_sizes[] = {std::int64_t{1} << 16, std::int64_t{1} << 20,
                                          std::int64_t{1} << 24};
constexpr double eps_of_float = 0x1p-23;

Extents shape_of_side(const Description& description, std::int64_t side) {
  const std::size_t axes = description.shape.size();
  return {side, axes > 1 ? side : 1, axes > 2 ? side : 1};
}

// Tells whether arrays fit into a working set of `most` elements. `too_small`: some array would be empty.
enum class Fit : std::uint8_t { too_small, right, too_large };

Extents extents_of(const std::vector<std::int64_t>& values) {
  return {values.size() > 1 ? values[1] : values[0], 1, 1};
}

Fit fit(const Description& description, std::int64_t n, const Extents& shape, std::int64_t most) try {
  const std::vector<std::int64_t> values = size_values(description, n, shape);
  if (extents_of(values).x < 1) return Fit::too_small;
  std::int64_t all = 0;
  for (const DescribedArray& one : description.arrays) {
    const std::int64_t length = one.elements(values);
    if (length < 1) return Fit::too_small;
    if (__builtin_add_overflow(all, length, &all)) return Fit::too_large;
  }
  return all <= most ? Fit::right : Fit::too_large;
} catch (const UserError&) {  // a size exceeds 64 bits
  return Fit::too_large;
}

// Returns the largest value in [1, most] for which fit_of does not return too_large. Returns 0 if fit_of
// returns too_small for that value.
template <typename FitOf>
std::int64_t largest(std::int64_t most, FitOf&& fit_of) {
  if (most < 1) return 0;
  std::int64_t low = 0, high = most + 1;
  if (fit_of(most) != Fit::too_large) low = most;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fit_of(middle) == Fit::too_large ? high : low) = middle;
  }
  return low > 0 && fit_of(low) == Fit::right ? low : 0;
}

// Returns true for a kernel with fixed sizes. Its only allowed N is the total size of its arrays.
bool is_fixed(const Description& description) {
  return description.shape.empty() && !description.default_sizes.empty();
}

void check_at(const Description& description, const std::vector<std::int64_t>& values) {
  std::vector<double> real(values.begin(), values.end());
  real.push_back(eps_of_float);
  for (const Expression* one : {&description.flops, &description.integers, &description.items})
    if (!one->empty()) (void)one->at(values);
  if (description.tolerance)
    for (const Expression* one : {&description.tolerance->absolute, &description.tolerance->relative})
      if (!one->empty()) (void)one->real_at(real);
  for (const DescribedVariant& variant : description.variants) {
    std::vector<std::int64_t> all = values;
    for (const DescribedTunable& one : variant.tunables) all.push_back(one.preferred);
    const auto at_all = [&](const std::vector<Expression>& list) {
      for (const Expression& one : list)
        if (!one.empty()) (void)one.at(all);
    };
    for (const DescribedConstraint& one : variant.constraints) (void)one.condition.at(all);
    for (const DescribedArray& one : variant.temporaries) (void)one.elements(all);
    all.push_back(0);  // the expressions may use `step`, whose value is 0 here
    at_all({variant.rounds});
    for (const DescribedStep* step : variant.steps()) {
      at_all({step->shared, step->repeat});
      at_all(step->block);
      at_all(step->grid);
      for (const DescribedArgument& one : step->arguments)
        if (one.kind == DescribedArgument::Kind::expression) (void)one.value.at(all);
    }
  }
}

}  // namespace

std::vector<std::int64_t> size_values(const Description& description, std::int64_t n, const Extents& shape) {
  std::vector<std::int64_t> values = {n};
  const std::int64_t extents[] = {shape.x, shape.y, shape.z};
  for (std::size_t i = 0; i < description.shape.size(); ++i) values.push_back(extents[i]);
  for (const NamedExpression& one : description.sizes) values.push_back(one.expression.at(values));
  return values;
}

Fitted fitted(const Description& description, std::int64_t n) {
  Fitted result;
  if (description.shape.empty()) {
    result.n = is_fixed(description)
                   ? (n >= description.default_sizes[0] ? description.default_sizes[0] : 0)
                   : largest(n, [&](std::int64_t one) { return fit(description, one, {}, n); });
    if (result.n > 0) result.extents = extents_of(size_values(description, result.n, {}));
    return result;
  }
  const std::int64_t side = largest(n, [&](std::int64_t one) {
    const Extents shape = shape_of_side(description, one);
    std::int64_t count = 0;
    const bool huge =
        __builtin_mul_overflow(shape.x, shape.y, &count) || __builtin_mul_overflow(count, shape.z, &count);
    return huge ? Fit::too_large : fit(description, n, shape, n);
  });
  if (side > 0) result = {n, shape_of_side(description, side)};
  return result;
}

std::vector<std::int64_t> size_values(const Description& description, const Problem& problem) {
  if (!description.shape.empty()) return size_values(description, problem.n, problem.extents);
  return size_values(description, fitted(description, problem.n).n, {});
}

void check_expressions(const Description& description) {
  for (std::int64_t n : checked_sizes) {
    if (is_fixed(description)) n = description.default_sizes[0];
    Fitted at = fitted(description, n);
    if (at.n == 0 && n < *std::rbegin(checked_sizes) && !is_fixed(description))
      continue;       // N = n is below the smallest size that the kernel allows
    if (at.n == 0) {  // if possible, the error message names the array that does not fit
      const Extents shape = shape_of_side(description, 64);
      const std::vector<std::int64_t> values = size_values(description, n, shape);
      for (const DescribedArray& one : description.arrays)
        if (const std::int64_t length = one.elements(values); length < 1)
          refuse(one.length.place(), "the length of the array " + one.name + " is " + std::to_string(length) +
                                         " at N = " + std::to_string(n));
      refuse({description.file},
             "the arrays of " + description.name + " do not fit into N = " + std::to_string(n) + " elements");
    }
    check_at(description, size_values(description, at.n, at.extents));
  }
}

}  // namespace sextant::own
