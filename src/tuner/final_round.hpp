// Ends a search: measures its best tunings again, in turns.
#pragma once

#include <optional>
#include <vector>

#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"
#include "record/search.hpp"
#include "tuner/goal.hpp"

namespace sextant::tuner {

// Measures the finalists again in turns, in one process, `rounds` times each. Finalists are the `most`
// fastest measured steps and the default tuning. `rivals` are measured with them but are not stored as
// finalists. Stores the finalists, the winner first, and the default's time over the winner's. Returns false
// if it was stopped.
//
// `over_rivals`, if not null: the winner's time over the fastest rival's, paired by turns. It has no samples
// if no rival ran.
bool final_round(CaseExecutor& executor, const Settings& settings, Goal goal, std::size_t most,
                 std::size_t rounds, Search* search, const std::vector<Tuning>& rivals = {},
                 Interval* over_rivals = nullptr);

// One tuning for several sizes of a kernel. `losses`: its time over the fastest candidate's time at each
// size, paired by turns. `worst`: index of the largest loss.
struct SharedTuning {
  Tuning tuning;
  std::vector<Interval> losses;
  std::size_t worst = 0;
};

// Measures the tunings and each size's default in turns, at the size of every search. The tuning with the
// smallest worst loss wins in all searches. `shared` is empty if no tuning runs at every size. Returns false
// if it was stopped.
bool shared_round(CaseExecutor& executor, const Settings& settings, Goal goal, std::size_t rounds,
                  const std::vector<Tuning>& tunings, const std::vector<Search*>& searches,
                  std::optional<SharedTuning>* shared);

}  // namespace sextant::tuner
