// The length of a piece, in elements. Each part's elements are split into equal pieces, one per part;
// leftover elements are not part of the problem.
#pragma once

#include "suite/problem.hpp"

namespace sextant::all_to_all {

inline std::int64_t piece_of(const Problem& problem) { return problem.extents.x / problem.parts; }

}  // namespace sextant::all_to_all
