// What `sextant tune` is to search, before anything is measured.
#pragma once

#include <string>
#include <vector>

#include "cli/options/values.hpp"
#include "plan/plan.hpp"
#include "present/table.hpp"
#include "record/case.hpp"
#include "tuner/live_space.hpp"

namespace sextant {

// One case a space of what was resolved with Selection::searched; variants without tunables and spaces
// without a point are left out. `threads` are what OpenMP has: where they are several, OpenMP variants have
// them as one more tunable. Sizes of one variant come from the middle outwards, so that each is near one that
// taught. Throws UserError if nothing is left.
std::vector<Case> spaces_to_tune(const Resolved& resolved, const Selection& selection, int threads,
                                 std::vector<std::string>* notes);

// The points of a space that the selection asks for: of the variant's tunables and, if the case's tuning has
// threads, of 1, 2, 4 … up to as many, or of those asked for. Throws UserError if none is left.
tuner::LiveSpace points_of(const Case& space, const Selection& selection);

// The numbers of threads that are worth trying on a machine with `most`, ascending: powers of two, half of
// them, all.
std::vector<int> thread_counts(int most);

// Evaluations that a space of so many points may take.
std::size_t evaluations_of(const TuneBudget& budget, std::size_t points);

// What to know before so many spaces are searched as long as it takes; empty where they are few, or a budget
// says how long.
std::string note_on_many(std::size_t spaces, const TuneBudget& budget);

// `--dry-run`: a row a space.
Table tuning_plan(const std::vector<Case>& spaces, const Selection& selection, const TuneBudget& budget);

}  // namespace sextant
