// Selects the summaries that a command line's selection asks for.
#pragma once

#include <vector>

#include "analysis/summary/summary.hpp"
#include "plan/selection.hpp"

namespace sextant {

// Keeps the summaries that match every list of the selection. An empty list matches everything. The cache
// mode and the fill are ignored. Throws UserError if a pattern, size, class, type, parameter, tunable or
// device matches nothing.
std::vector<Summary> filter(const std::vector<Summary>& summaries, const Selection& selection);

// True if the selection lists this problem's N, bytes, shape or class, or lists no size at all. Throws
// UserError if the selection gives the size of the largest array, because a stored case does not contain that
// size.
bool is_size_asked(const Selection& selection, const Case& what);

}  // namespace sextant
