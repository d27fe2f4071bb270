// Drafts the tolerance of a description.
#pragma once

#include <string>

#include "own/draft/draft_arrays.hpp"

namespace sextant::own {

// Returns the line `tolerance`; empty if results are compared exactly. Real numbers have the roundings of the
// longest sum. If `outliers` is true, comparisons of computed real numbers decide whole numbers, so that
// single elements may differ. If `relative_only` is true, results shrink as sizes grow.
std::string tolerance_text(const DraftParts& parts, const DraftArrays& arrays, bool outliers,
                           bool relative_only);

}  // namespace sextant::own
