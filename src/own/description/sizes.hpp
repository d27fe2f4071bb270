// Computes the sizes of a user kernel: the values of the expressions in its description for a given N.
#pragma once

#include <cstdint>
#include <vector>

#include "own/description/description.hpp"

namespace sextant::own {

// Returns the values of Description::size_names() for a working set of n elements, or for the extents of a
// shape. Throws UserError if an expression cannot be evaluated.
std::vector<std::int64_t> size_values(const Description& description, std::int64_t n, const Extents& shape);

// The largest problem whose arrays together hold at most n elements.
struct Fitted {
  std::int64_t n = 0;  // the value of N in expressions; 0 if n is too small
  Extents extents{0, 0, 0};
};
Fitted fitted(const Description& description, std::int64_t n);

// Returns the values of size_names() for a problem that the kernel created, or whose shape the user gave.
std::vector<std::int64_t> size_values(const Description& description, const Problem& problem);

}  // namespace sextant::own
