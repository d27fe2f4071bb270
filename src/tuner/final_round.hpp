// The final round of a search: measures the best tunings again, in alternation, and chooses the winner.
#pragma once

#include <optional>
#include <vector>

#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"
#include "record/search.hpp"
#include "tuner/goal.hpp"

namespace sextant::tuner {

// Measures the finalists again, `rounds` times each, in alternation. Finalists are the `most` fastest tunings
// of the search and the default tuning. `rivals` are other tunings for comparison, which are not stored.
// Stores the finalists in the search, the winner first, and the ratio of the default's time to the winner's
// time. Returns false if it was interrupted.
//
// `over_rivals`, if not null, receives the ratio of the winner's time to the fastest rival's time. It has no
// samples if no rival ran.
bool final_round(CaseExecutor& executor, const Settings& settings, Goal goal, std::size_t most,
                 std::size_t rounds, Search* search, const std::vector<Tuning>& rivals = {},
                 Interval* over_rivals = nullptr);

// One tuning for several sizes of a kernel. `losses`: for each size, its time divided by the fastest
// candidate's time. `worst`: index of the largest loss.
struct SharedTuning {
  Tuning tuning;
  std::vector<Interval> losses;
  std::size_t worst = 0;
};

// Measures the tunings and each size's default in alternation, at the size of each search. The tuning with
// the smallest worst-case loss wins all searches. `shared` is empty if no tuning runs at every size. Returns
// false if it was interrupted.
bool shared_round(CaseExecutor& executor, const Settings& settings, Goal goal, std::size_t rounds,
                  const std::vector<Tuning>& tunings, const std::vector<Search*>& searches,
                  std::optional<SharedTuning>* shared);

}  // namespace sextant::tuner
