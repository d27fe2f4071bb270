// The number of elements that one participant (GPU or rank) sends to each participant. Each participant's
// elements are split into one equal piece per participant; leftover elements are not part of the problem.
#pragma once

#include "suite/problem.hpp"

namespace sextant::all_to_all {

inline std::int64_t piece_of(const Problem& problem) { return problem.extents.x / problem.parts; }

}  // namespace sextant::all_to_all
