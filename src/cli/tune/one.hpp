// sextant tune --one: chooses one tuning for all sizes of a kernel.
#pragma once

#include <string>
#include <vector>

#include "cli/options/selection.hpp"
#include "present/table.hpp"
#include "tuner/final_round.hpp"

namespace sextant {

// Groups the successful searches that differ only in size. Groups with a single size are left out.
std::vector<std::vector<Search*>> sizes_together(std::vector<Search>& searches);

// Returns the tunings that every size allows. First come the best tunings (finalists) of each search in
// descending order, and then the defaults.
std::vector<Tuning> shared_tunings(const std::vector<Search*>& searches, const Selection& selection);

// Returns the result as a line of text. `shared_row` returns it as a row of search_columns().
std::string shared_text(const tuner::SharedTuning& shared, const std::vector<Search*>& searches);
std::vector<Cell> shared_row(const tuner::SharedTuning& shared, const std::vector<Search*>& searches);

}  // namespace sextant
