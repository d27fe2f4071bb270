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

}  // namespace sextant
