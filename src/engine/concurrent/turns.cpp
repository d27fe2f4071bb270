#include "engine/concurrent/turns.hpp"

#include <algorithm>

#include "engine/form/settings.hpp"

namespace sextant {
namespace {

// Runs the case once and adds the measurement. Returns false if it failed or was stopped, which ends the
// case.
bool take_turn(CaseExecutor& executor, const Case& what, std::vector<Measurement>* turns) {
  std::optional<Measurement> measurement = executor.run(what);
  if (!measurement) return false;
  turns->push_back(std::move(*measurement));
  return turns->back().status == Status::ok;
}

void take_rounds(CaseExecutor& first, CaseExecutor& second, const TurnCallbacks& callbacks,
                 std::size_t leader, Turns* turns) {
  CaseExecutor* executors[2] = {&first, &second};
  for (;;) {
    for (const std::size_t side : {leader, 1 - leader, 1 - leader, leader}) {
      if (take_turn(*executors[side], turns->what, &turns->sides[side])) continue;
      // Run the other program, too, because possibly only one of them is broken.
      if (turns->sides[1 - side].empty())
        take_turn(*executors[1 - side], turns->what, &turns->sides[1 - side]);
      return;
    }
    if (callbacks.decided(*turns) || (callbacks.stop && callbacks.stop())) return;
  }
}

}  // namespace

void take_turns(const std::vector<Case>& cases, CaseExecutor& first, CaseExecutor& second,
                const TurnCallbacks& callbacks, bool second_first) {
  for (const Case& what : cases) {
    if (callbacks.stop && callbacks.stop()) return;
    Turns turns{what, {}};
    take_rounds(first, second, callbacks, second_first ? 1 : 0, &turns);
    if (turns.sides[0].empty() || turns.sides[1].empty()) return;
    callbacks.done(turns);
  }
}

Settings turn_settings(Settings settings) {
  settings.min_samples = 5;
  settings.max_samples = 200;
  settings.least_seconds = 0.002;
  settings.case_seconds = 0.02;
  settings.transfers = false;
  settings.check_once = true;
  return with_seed(settings);
}

Measurement joined(const std::vector<Measurement>& turns) {
  Measurement all = turns.front();
  for (std::size_t i = 1; i < turns.size(); ++i) {
    const Measurement& turn = turns[i];
    all.status = turn.status;
    all.reason = turn.reason;
    all.call_times.insert(all.call_times.end(), turn.call_times.begin(), turn.call_times.end());
    all.device_times.insert(all.device_times.end(), turn.device_times.begin(), turn.device_times.end());
  }
  if (all.status != Status::ok) all.call_times.clear(), all.device_times.clear();
  return all;
}

}  // namespace sextant
