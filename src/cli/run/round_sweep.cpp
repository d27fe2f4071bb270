#include "cli/run/round_sweep.hpp"

#include <fmt/format.h>

#include "plan/guess.hpp"
#include "run/trial.hpp"

namespace sextant {
namespace {

// Runs the background task `meanwhile` now if no cases are measured concurrently on several cores. Otherwise
// the task runs together with those cases.
void run_meanwhile(const OnCores& on_cores) {
  if (!on_cores.cases.empty() || !on_cores.meanwhile) return;
  on_cores.meanwhile();
  on_cores.afterwards();
}

}  // namespace

std::vector<Case> expected_cases(const RunRequest& request, ProgressReporter& progress) {
  Rounds rounds;
  rounds.plan(request.cases, request.whole_suite, request.settings.timeout);
  std::vector<Case> expected;
  for (std::vector<Case> round = rounds.next(); !round.empty(); round = rounds.next()) {
    if (!rounds.note().empty()) progress.message("expected: " + rounds.note());
    for (const Case& one : round) {
      Measurement stand_in;
      stand_in.what = one;
      stand_in.status = Status::ok;
      stand_in.call_times = {guess_call_seconds(one) * (1 + 1e-9 * static_cast<double>(expected.size()))};
      rounds.add(stand_in);
      expected.push_back(one);
    }
  }
  return expected;
}

Outcome sweep_rounds(std::vector<Case> round, const RunRequest& request, const WorkerCommand& worker,
                     const Environment& environment, ProgressReporter& progress,
                     const std::function<void(const Measurement&)>& keep, const Distribution& distribution,
                     Rounds* rounds, Timings* timings, std::size_t* planned) {
  const double began = now();
  Outcome all;
  *planned = 0;
  const auto keep_not_begun = [&] {
    for (const Measurement& one : rounds->not_begun()) {
      count(one, environment, &all);
      keep(one);
      ++*planned;
    }
  };
  for (; !round.empty() && all.ending == Ending::complete; round = rounds->next()) {
    if (!rounds->note().empty()) progress.message(rounds->note());
    keep_not_begun();
    const double left = request.budget - (now() - began);
    if (request.budget > 0 && left <= 0) {
      all.ending = Ending::budget_spent;
      break;
    }
    *planned += round.size();
    const Distribution part = distribution_in(distribution, round);
    run_meanwhile(part.on_cores);
    add(sweep(round, request.settings, request.budget > 0 ? left : 0, worker, environment, progress, keep,
              &timings->cases, part),
        &all);
  }
  if (!rounds->note().empty() && round.empty()) progress.message(rounds->note());
  keep_not_begun();
  *planned += round.size() + rounds->later();
  return all;
}

}  // namespace sextant
