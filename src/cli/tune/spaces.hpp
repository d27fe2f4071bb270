// Determines the tuning spaces that `sextant tune` searches, before any measurement.
#pragma once

#include <string>
#include <vector>

#include "cli/options/values.hpp"
#include "engine/form/settings.hpp"
#include "plan/plan.hpp"
#include "present/table.hpp"
#include "record/case.hpp"
#include "record/environment.hpp"
#include "run/pace.hpp"
#include "tuner/live_space.hpp"

namespace sextant {

// Returns one case for each tuning space. `resolved` must come from a selection with Selection::searched set.
// Variants without tunables and spaces without points are left out. `threads` is the number of OpenMP
// threads. If it exceeds one, OpenMP variants get the thread count as a further tunable. The sizes of a
// variant are ordered from the middle outwards, so that each search can learn from a nearby size. Throws
// UserError if no space is left.
std::vector<Case> spaces_to_tune(const Resolved& resolved, const Selection& selection, int threads,
                                 std::vector<std::string>* notes);

// Returns the points of a space that match the selection. They combine the values of the variant's tunables
// with the thread counts, if the tuning has a thread count. The thread counts are 1, 2, 4 … up to the
// maximum, or those that the user asked for. Throws UserError if no point is left.
tuner::LiveSpace points_of(const Case& space, const Selection& selection);

// Returns the thread counts to try on a machine with `most` threads, in ascending order: powers of two, half
// of all threads, and all threads.
std::vector<int> thread_counts(int most);

// Returns the maximum number of evaluations for a space with `points` points.
std::size_t evaluations_of(const TuneBudget& budget, std::size_t points);

// Returns a warning if many spaces are searched without a time limit, or an empty text.
std::string note_on_many(std::size_t spaces, const TuneBudget& budget);

// What a dry run knows about the searches in addition to their spaces.
struct TuneDryRun {
  TuneBudget budget = {};
  Settings settings = {};
  // number of tunings that are measured again at the end of each search, and how often
  std::size_t finalists = 0, rounds = 0;
  bool ceilings = false;  // true if the ceilings will be measured
  Environment environment = {};
  Pace pace = {};
};

// Returns the table of `--dry-run`, with one row per space. A note gives the total time.
Table tuning_plan(const std::vector<Case>& spaces, const Selection& selection, const TuneDryRun& run);

}  // namespace sextant
