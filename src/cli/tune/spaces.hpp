// Determines the spaces that `sextant tune` searches, before any measurement.
#pragma once

#include <string>
#include <vector>

#include "cli/options/values.hpp"
#include "plan/plan.hpp"
#include "present/table.hpp"
#include "record/case.hpp"
#include "tuner/live_space.hpp"

namespace sextant {

// Returns one case per space, resolved with Selection::searched. Variants without tunables and spaces without
// points are left out. `threads` is the number of OpenMP threads; if it exceeds one, OpenMP variants get the
// thread count as a further tunable. Sizes of one variant are ordered from the middle outwards, so that each
// can learn from a nearby one. Throws UserError if no space is left.
std::vector<Case> spaces_to_tune(const Resolved& resolved, const Selection& selection, int threads,
                                 std::vector<std::string>* notes);

// Returns the points of a space that match the selection: the variant's tunables and, if the tuning has
// threads, the thread counts. The thread counts are 1, 2, 4 … up to the maximum, or the requested ones.
// Throws UserError if no point is left.
tuner::LiveSpace points_of(const Case& space, const Selection& selection);

// Returns the thread counts to try on a machine with `most` threads, ascending: powers of two, half of all,
// and all.
std::vector<int> thread_counts(int most);

// Returns the number of evaluations that a space with `points` points may take.
std::size_t evaluations_of(const TuneBudget& budget, std::size_t points);

// Returns a warning if many spaces are searched without a time limit, or an empty text.
std::string note_on_many(std::size_t spaces, const TuneBudget& budget);

// Returns the table of `--dry-run`, with one row per space.
Table tuning_plan(const std::vector<Case>& spaces, const Selection& selection, const TuneBudget& budget);

}  // namespace sextant
