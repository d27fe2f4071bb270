// The size of a "piece": the elements that one participant (GPU or rank) sends to each participant. Elements
// that do not divide evenly are not part of the problem.
#pragma once

#include "suite/problem.hpp"

namespace sextant::all_to_all {

inline std::int64_t piece_of(const Problem& problem) { return problem.extents.x / problem.parts; }

}  // namespace sextant::all_to_all
