// Who wins at which sizes of a kernel, in a line.
#pragma once

#include <string>

#include "analysis/study/standing.hpp"

namespace sextant {

// "openmp to 130560, then cuda (1.2x to 35x the best CPU)" for rows of one kernel, type and cache, by size.
// Neighbouring sizes at which none is known to be the fastest are merged: "serial or openmp from 7936:
// equal". Sizes at which a leader of the others was not measured stand apart, since there nobody could win
// over it, and so do those with one model alone:
// "; not comparable: cuda alone at 268435456". Where one model alone was measured, its variants compete.
// Empty if nothing was measured.
std::string verdict(const StudyGroup& rows, bool with_transfers, bool gains = true);

// 1.09x, 12.3x, 133x, 0.057x: as verdict writes ratios.
std::string ratio_text(double ratio);

}  // namespace sextant
