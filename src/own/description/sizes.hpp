// The sizes of a described kernel: from N to values of its expressions.
#pragma once

#include <cstdint>
#include <vector>

#include "own/description/description.hpp"

namespace sextant::own {

// The values of Description::size_names() for a working set of n elements, or for the extents of a shape.
// Throws UserError where an expression has no value there.
std::vector<std::int64_t> size_values(const Description& description, std::int64_t n, const Extents& shape);

// What a working set of n elements becomes: the largest sizes whose arrays hold at most n elements together.
struct Fitted {
  std::int64_t n = 0;  // what N is in expressions; 0: n is too small for any
  Extents extents{0, 0, 0};
};
Fitted fitted(const Description& description, std::int64_t n);

// The values for a problem as the kernel made it, or as a user gave its shape.
std::vector<std::int64_t> size_values(const Description& description, const Problem& problem);

}  // namespace sextant::own
