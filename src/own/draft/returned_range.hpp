// Determines the range of the value that a called function returns.
#pragma once

#include <optional>
#include <vector>

#include "own/draft/helpers.hpp"
#include "own/draft/ranges.hpp"

namespace sextant::own {

// Returns the range of the value that `helper` returns if its parameters have the ranges `given`. `at` holds
// the ranges of the caller's variables. Returns nothing if the function returns no value.
std::optional<Range> returned_range(const Helper& helper, const std::vector<Range>& given, Ranges at);

}  // namespace sextant::own
