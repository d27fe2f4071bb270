// Finds expressions of sizes for numbers that were observed at several sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "own/draft/polynomial.hpp"

namespace sextant::own {

// Sizes that a run was given, and the number that it showed.
struct Observation {
  std::vector<std::int64_t> sizes;
  std::int64_t number = 0;
};

struct SizeFit {
  std::vector<std::string> names;            // of the sizes
  std::vector<std::int64_t> constants = {};  // numbers in the source, such as block sizes
};

// Returns a polynomial of the sizes, of degree 3 for one or two of them, that gives every number.
// There must be more observations than terms.
std::optional<Polynomial> exact_fit(const SizeFit& fit, const std::vector<Observation>& observed);

// Returns the smallest of some usual array lengths that is at least the number at all sizes: products of
// sizes with small factors, whole blocks of one of the constants, powers of 2.
std::optional<std::string> upper_fit(const SizeFit& fit, const std::vector<Observation>& observed);

// Returns the text of exact_fit(), or a usual length that gives every number.
std::optional<std::string> tight_fit(const SizeFit& fit, const std::vector<Observation>& observed);

// Returns the largest of such lengths that is at most the number at all sizes.
std::optional<std::string> lower_fit(const SizeFit& fit, const std::vector<Observation>& observed);

}  // namespace sextant::own
