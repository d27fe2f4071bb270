// Summarizes in one line which model wins at which sizes of a kernel.
#pragma once

#include <string>

#include "analysis/study/standing.hpp"

namespace sextant {

// Returns the verdict for rows of one kernel, type and cache mode, sorted by size: "openmp to 130560, then
// cuda (1.2x to 35x the best CPU)". Empty if nothing was measured. If only one model was measured, its
// variants compete. Adjacent sizes without a clear winner are merged: "serial or openmp from 7936: equal".
// Sizes with only one measured model, or without a leader of the other sizes, are reported separately: "; not
// comparable: cuda alone at 268435456".
std::string verdict(const StudyGroup& rows, bool with_transfers, bool gains = true);

// Formats a ratio as the verdict does: 1.09x, 12.3x, 133x, 0.057x.
std::string ratio_text(double ratio);

}  // namespace sextant
