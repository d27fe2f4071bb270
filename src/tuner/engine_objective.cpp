#include "tuner/engine_objective.hpp"

#include <algorithm>
#include <cmath>

#include "engine/case/sampling.hpp"
#include "record/keys.hpp"

namespace sextant::tuner {
namespace {

// A case is not sampled if its first time exceeds this multiple of the best time, plus `single_call`.
constexpr double give_up_from = 2.5;
// Seconds by which a single call may be slower than usual by chance.
constexpr double single_call = 50e-6;
// A case gets only three samples if its time exceeds this multiple of the best time's upper interval end.
constexpr double worse = 1.2;
constexpr int search_windows = 3;  // windows of an evaluation's energy; final rounds repeat one window
constexpr double least_limit = 5;  // the time limit of an evaluation is at least this many seconds
// Time limit of an evaluation, as a multiple of the longest successful evaluation.
constexpr double timeout_factor = 20;

SearchStep step_of(const Measurement& measurement, Goal goal) {
  SearchStep step;
  step.tuning = measurement.what.tuning;
  step.effort = measurement.effort;
  step.status = measurement.status;
  step.reason = measurement.reason;
  if (measurement.status != Status::ok) return step;
  const Interval time = goal_time(measurement, goal);
  step.time = time.median;
  step.low = time.low;
  step.high = time.high;
  step.samples = static_cast<std::int64_t>(time.samples);
  return step;
}

}  // namespace

// Settings of the next evaluation, with limits derived from the best evaluation so far.
Settings EngineObjective::settings_for(const SearchStep* best) const {
  Settings settings = settings_;
  settings.transfers = goal_ == Goal::whole;
  settings.check_fully = true;
  if (longest_ > 0)
    settings.timeout = std::min(settings.timeout, std::max(least_limit, timeout_factor * longest_));
  if (needs_energy(goal_)) {
    settings.energy_windows = search_windows;
    const double limit = best ? longest_worthwhile(goal_, best->time, idle_power_) : 0;
    if (limit > 0) settings.give_up_above = settings.screen_above = limit + single_call;
    return settings;
  }
  const Interval call = best && goal_ != Goal::whole ? call_of(best->tuning) : Interval();
  if (call.samples == 0) return settings;
  settings.give_up_above = give_up_from * call.median + single_call;
  settings.screen_above = worse * call.high;
  return settings;
}

const Measurement* EngineObjective::held(const Tuning& tuning) const {
  Case what = space_;
  what.tuning = tuning;
  const auto found = known_.find(key_of(what));
  return found == known_.end() ? nullptr : found->second;
}

// The known measurement of a tuning if it failed or contains the time that the search minimizes; otherwise
// null.
const Measurement* EngineObjective::told(const Tuning& tuning) const {
  const Measurement* one = held(tuning);
  return one && (one->status != Status::ok || tells_goal_time(*one, goal_)) ? one : nullptr;
}

// The call time of a tuning that was measured in this search; no samples if it is unknown.
Interval EngineObjective::call_of(const Tuning& tuning) const {
  const auto call = calls_.find(tuning_text(tuning));
  if (call != calls_.end()) return call->second;
  const Measurement* known = held(tuning);
  return known ? median_interval(known->call_times) : Interval();
}

void EngineObjective::expect(const std::vector<Tuning>& tunings) {
  std::vector<Case> cases;
  for (const Tuning& tuning : tunings) {
    if (told(tuning)) continue;
    cases.push_back(space_);
    cases.back().tuning = tuning;
  }
  executor_.expect(cases, space_.device != "cpu" && goal_ == Goal::device);
}

std::optional<SearchStep> EngineObjective::evaluate(const Tuning& tuning, const SearchStep* best) {
  if (const Measurement* known = told(tuning)) {
    SearchStep step = step_of(*known, goal_);
    step.known = true;
    return step;
  }
  Case what = space_;
  what.tuning = tuning;
  executor_.use(settings_for(best));
  SteadyClock clock;
  const double began = clock.now();
  const std::optional<Measurement> measurement = executor_.run(what);
  if (!measurement) return {};
  SearchStep step = step_of(*measurement, goal_);
  step.cost = clock.now() - began;
  if (measurement->idle_power) idle_power_ = *measurement->idle_power;
  if (step.status == Status::ok) {
    longest_ = std::max(longest_, step.cost);
    if (step.effort == Effort::measured)
      calls_[tuning_text(tuning)] = median_interval(measurement->call_times);
  }
  if (measured_ && measurement->status != Status::skipped && measurement->effort == Effort::measured)
    measured_(*measurement);
  return step;
}

}  // namespace sextant::tuner
