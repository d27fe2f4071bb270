// The end of a search: its best, measured again in turns.
#pragma once

#include <optional>
#include <vector>

#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"
#include "record/search.hpp"
#include "tuner/goal.hpp"

namespace sextant::tuner {

// The finalists of a search: the `most` fastest measured steps, the default and `rivals`, measured again in
// turns, `rounds` times each, in one process. Orders them, the winner first, and says what the default loses
// against it. Rivals take part and are none of the search's finalists. False if it was stopped.
//
// `over_rivals`, if not null: the winner's time over the fastest rival's, paired by turns; no samples if none
// ran.
bool final_round(CaseExecutor& executor, const Settings& settings, Goal goal, std::size_t most,
                 std::size_t rounds, Search* search, const std::vector<Tuning>& rivals = {},
                 Interval* over_rivals = nullptr);

// One tuning for several sizes of a kernel: its time over that of the fastest of all candidates at each,
// paired by turns, and where that is most.
struct SharedTuning {
  Tuning tuning;
  std::vector<Interval> losses;
  std::size_t worst = 0;
};

// Measures the tunings and each size's default in turns at the size of every search; the one whose worst loss
// is least wins in all of them. None if no tuning runs everywhere. False if it was stopped.
bool shared_round(CaseExecutor& executor, const Settings& settings, Goal goal, std::size_t rounds,
                  const std::vector<Tuning>& tunings, const std::vector<Search*>& searches,
                  std::optional<SharedTuning>* shared);

}  // namespace sextant::tuner
