#include "tuner/engine_objective.hpp"

#include <algorithm>
#include <cmath>

#include "engine/turns.hpp"
#include "record/keys.hpp"

namespace sextant::tuner {
namespace {

constexpr double hopeless = 2.5;       // times the best: not worth a sample
constexpr double single_call = 50e-6;  // seconds by which a single call may be late by chance
constexpr double worse = 1.2;          // times the best's upper end: not worth more than three samples
constexpr double far_behind = 1.05;    // times the best, by the intervals: no rival of it at the end
constexpr double least_limit = 5;      // seconds
constexpr double patience = 20;        // times what the longest good evaluation took: it hangs

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

// A finalist with its times, one a round.
struct Candidate {
  Case what;
  std::vector<double> times;
  bool broken = false;
  bool rival = false;                   // not of the search
  double block = 0, shared_memory = 0;  // of its largest launch; 0: not known
};

double median_of(const std::vector<double>& values) { return median_interval(values).median; }

Interval ratio_of(const Candidate& one, const Candidate& other) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(one.times.size(), other.times.size()); ++i)
    ratios.push_back(one.times[i] / other.times[i]);
  return median_interval(ratios);
}

bool tied(const Candidate& one, const Candidate& winner) {
  const Interval ratio = ratio_of(one, winner);
  return ratio.low <= 1;
}

std::vector<Candidate> candidates_of(const Search& search, std::size_t most) {
  std::vector<const SearchStep*> steps;
  for (const SearchStep& step : search.steps)
    if (step.status == Status::ok && step.effort == Effort::measured && step.time > 0) steps.push_back(&step);
  std::stable_sort(steps.begin(), steps.end(), [](auto* a, auto* b) { return a->time < b->time; });
  std::erase_if(steps, [best = steps.empty() ? 0 : steps.front()->high](const SearchStep* step) {
    return step->low > far_behind * best;
  });
  if (steps.size() > most) steps.resize(most);
  std::vector<Candidate> candidates;
  const auto add = [&](const Tuning& tuning) {
    Candidate one;
    one.what = search.space;
    one.what.tuning = tuning;
    candidates.push_back(std::move(one));
  };
  bool standard = false;
  for (const SearchStep* step : steps) {
    add(step->tuning);
    standard = standard || step->tuning == search.standard;
  }
  if (!standard && !steps.empty()) add(search.standard);
  return candidates;
}

bool take(CaseExecutor& executor, Goal goal, Candidate* one) {
  const std::optional<Measurement> measurement = executor.run(one->what);
  if (!measurement) return false;
  const double time = measurement->status == Status::ok ? goal_time(*measurement, goal).median : 0;
  if (!(time > 0)) {
    one->broken = true;
    return true;
  }
  one->times.push_back(time);
  for (const KernelLaunch& launch : measurement->launches) {
    one->block =
        std::max(one->block, static_cast<double>(launch.block[0]) * launch.block[1] * launch.block[2]);
    one->shared_memory = std::max(one->shared_memory, static_cast<double>(launch.shared_memory));
  }
  return true;
}

// The fastest, or of those tied with it the default, else the one that asks least of the device.
std::size_t choose(const std::vector<Candidate>& candidates, const Tuning& standard) {
  std::size_t fastest = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i)
    if (median_of(candidates[i].times) < median_of(candidates[fastest].times)) fastest = i;
  std::size_t chosen = fastest;
  const auto modesty = [&](std::size_t i) {
    return std::pair(candidates[i].block, candidates[i].shared_memory);
  };
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i == fastest || !tied(candidates[i], candidates[fastest])) continue;
    if (candidates[i].what.tuning == standard) return i;
    if (modesty(i) < modesty(chosen)) chosen = i;
  }
  return chosen;
}

// Those that the search did not choose itself. One that it did is there already, and its times serve both.
void add_rivals(const std::vector<Tuning>& rivals, const Search& search, std::vector<Candidate>* candidates) {
  for (const Tuning& tuning : rivals) {
    if (std::any_of(candidates->begin(), candidates->end(),
                    [&](const Candidate& one) { return one.what.tuning == tuning; }))
      continue;
    Candidate one;
    one.what = search.space;
    one.what.tuning = tuning;
    one.rival = true;
    candidates->push_back(std::move(one));
  }
}

// The winner's time over that of the fastest of the rivals.
Interval over_fastest(const std::vector<Tuning>& rivals, const Candidate& winner,
                      const std::vector<Candidate>& candidates) {
  const Candidate* fastest = nullptr;
  for (const Candidate& one : candidates)
    if (std::find(rivals.begin(), rivals.end(), one.what.tuning) != rivals.end() &&
        (!fastest || median_of(one.times) < median_of(fastest->times)))
      fastest = &one;
  return fastest ? ratio_of(winner, *fastest) : Interval();
}

void conclude(std::vector<Candidate> candidates, const std::vector<Tuning>& rivals, Search* search,
              Interval* over_rivals) {
  std::erase_if(candidates, [](const Candidate& one) { return one.broken; });
  const std::vector<Candidate> all = candidates;
  std::erase_if(candidates, [](const Candidate& one) { return one.rival; });
  search->finalists.clear();
  search->gain.reset();
  if (candidates.empty()) return;
  const std::size_t chosen = choose(candidates, search->standard);
  const Candidate winner = candidates[chosen];
  std::stable_sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
    const bool a_wins = a.what.tuning == winner.what.tuning, b_wins = b.what.tuning == winner.what.tuning;
    return a_wins != b_wins ? a_wins : median_of(a.times) < median_of(b.times);
  });
  for (const Candidate& one : candidates) {
    const bool itself = one.what.tuning == winner.what.tuning;
    search->finalists.push_back(
        {one.what.tuning, median_of(one.times), ratio_of(one, winner), !itself && tied(one, winner)});
    if (one.what.tuning == search->standard) search->gain = ratio_of(one, winner);
  }
  if (over_rivals) *over_rivals = over_fastest(rivals, winner, all);
}

}  // namespace

// What the best so far leaves to be hoped for.
Settings EngineObjective::settings_for(const SearchStep* best) const {
  Settings settings = settings_;
  settings.transfers = false;
  settings.check_fully = true;
  if (longest_ > 0) settings.timeout = std::min(settings.timeout, std::max(least_limit, patience * longest_));
  const Interval call = best ? call_of(best->tuning) : Interval();
  if (call.samples == 0) return settings;
  settings.give_up_above = hopeless * call.median + single_call;
  settings.screen_above = worse * call.high;
  return settings;
}

// The call's time of a step that was measured; no samples if it is not known.
Interval EngineObjective::call_of(const Tuning& tuning) const {
  const auto call = calls_.find(tuning_text(tuning));
  if (call != calls_.end()) return call->second;
  Case what = space_;
  what.tuning = tuning;
  const auto known = known_.find(key_of(what));
  return known == known_.end() ? Interval() : median_interval(known->second->call_times);
}

void EngineObjective::expect(const std::vector<Tuning>& tunings) {
  std::vector<Case> cases;
  for (const Tuning& tuning : tunings) {
    cases.push_back(space_);
    cases.back().tuning = tuning;
    if (known_.contains(key_of(cases.back()))) cases.pop_back();
  }
  executor_.expect(cases, space_.device != "cpu" && goal_ == Goal::device);
}

std::optional<SearchStep> EngineObjective::evaluate(const Tuning& tuning, const SearchStep* best) {
  Case what = space_;
  what.tuning = tuning;
  if (const auto known = known_.find(key_of(what)); known != known_.end()) {
    SearchStep step = step_of(*known->second, goal_);
    step.known = true;
    return step;
  }
  executor_.use(settings_for(best));
  SteadyClock clock;
  const double began = clock.now();
  const std::optional<Measurement> measurement = executor_.run(what);
  if (!measurement) return {};
  SearchStep step = step_of(*measurement, goal_);
  step.cost = clock.now() - began;
  if (step.status == Status::ok) {
    longest_ = std::max(longest_, step.cost);
    if (step.effort == Effort::measured)
      calls_[tuning_text(tuning)] = median_interval(measurement->call_times);
  }
  if (measured_ && measurement->status != Status::skipped && measurement->effort == Effort::measured)
    measured_(*measurement);
  return step;
}

bool final_round(CaseExecutor& executor, const Settings& settings, Goal goal, std::size_t most,
                 std::size_t rounds, Search* search, const std::vector<Tuning>& rivals,
                 Interval* over_rivals) {
  std::vector<Candidate> candidates = candidates_of(*search, most);
  add_rivals(rivals, *search, &candidates);
  Settings turn = turn_settings(settings);
  turn.timeout = settings.timeout;
  executor.use(turn);
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < candidates.size(); ++i) {  // there and back
      Candidate& one = candidates[round % 2 ? candidates.size() - 1 - i : i];
      if (!one.broken && !take(executor, goal, &one)) return false;
    }
  conclude(std::move(candidates), rivals, search, over_rivals);
  return true;
}

}  // namespace sextant::tuner
