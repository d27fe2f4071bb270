// Which of a file's summaries a selection asks for.
#pragma once

#include <vector>

#include "analysis/summary/summary.hpp"
#include "plan/selection.hpp"

namespace sextant {

// Those that the selection's lists name; an empty list names all. The selection's cache mode is not looked
// at. Throws UserError if a pattern, size, class, type, parameter, tunable or device names nothing that is
// there.
std::vector<Summary> filter(const std::vector<Summary>& summaries, const Selection& selection);

// Whether the problem's N, bytes, shape or class is among those asked for; where none is asked for, each is.
// Throws UserError for sizes of the largest array, which a case does not say.
bool is_size_asked(const Selection& selection, const Case& what);

}  // namespace sextant
