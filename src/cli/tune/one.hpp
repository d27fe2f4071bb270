// sextant tune --one: one tuning for all sizes of a kernel.
#pragma once

#include <string>
#include <vector>

#include "cli/options/selection.hpp"
#include "present/table.hpp"
#include "tuner/final_round.hpp"

namespace sextant {

// The searches that found something, by all that a case has but its size; those of a single size are left
// out.
std::vector<std::vector<Search*>> sizes_together(std::vector<Search>& searches);

// What the searches found good and every size takes: each one's finalists, the best first, then their
// defaults.
std::vector<Tuning> shared_tunings(const std::vector<Search*>& searches, const Selection& selection);

// What was found, a line, and as a row of search_columns().
std::string shared_text(const tuner::SharedTuning& shared, const std::vector<Search*>& searches);
std::vector<Cell> shared_row(const tuner::SharedTuning& shared, const std::vector<Search*>& searches);

}  // namespace sextant
