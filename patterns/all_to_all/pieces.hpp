// A part's elements are cut into a piece for each part, of one length: what is left over is none of the
// problem's.
#pragma once

#include "suite/problem.hpp"

namespace sextant::all_to_all {

inline std::int64_t piece_of(const Problem& problem) { return problem.extents.x / problem.parts; }

}  // namespace sextant::all_to_all
