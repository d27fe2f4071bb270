#include "run/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "present/format.hpp"
#include "record/keys.hpp"
#include "record/lasting.hpp"
#include "record/place.hpp"
#include "run/sweep.hpp"

namespace sextant {
namespace {

constexpr std::size_t most_of_a_model = 12;
constexpr double least_seconds = 1, share_of_run = 0.05;
// Of the time for all: a case that takes more gives way to one that ended soon after it.
constexpr double share_of_case = 1.0 / 16;

}  // namespace

void Repeats::add(const Measurement& measurement) {
  const double before = last_;
  last_ = now();
  // Of cases measured beside each other several end in the time of one.
  const double sampled = measurement.calls_per_sample *
                         std::accumulate(measurement.call_times.begin(), measurement.call_times.end(), 0.0);
  if (measurement.status != Status::ok || measurement.call_times.size() < min_interval_samples ||
      parts_together_of(measurement.what.device) > 0)  // what is learnt is said of cases of one process
    return;
  const std::string model = measurement.what.device + "." + model_of(measurement.what.variant);
  models_[model].push_back(
      {measurement.what, lasting_interval(measurement.call_times), std::max(last_ - before, sampled)});
}

std::vector<Case> Repeats::chosen() const {
  std::vector<Case> cases;
  double left = std::max(least_seconds, share_of_run * (last_ - began_));
  const double short_enough = share_of_case * left;
  // Turn by turn one of each model: if time is short, all have few. 5 and 12 have no common divisor, so a model's first
  // few are spread over the run as all of them are.
  for (std::size_t turn = 0; turn < most_of_a_model; ++turn)
    for (const auto& [model, ended] : models_) {
      const std::size_t wanted = std::min(most_of_a_model, ended.size()), place = turn * 5 % most_of_a_model;
      if (place >= wanted) continue;
      const auto begin = ended.begin() + place * ended.size() / wanted,
                 end = ended.begin() + (place + 1) * ended.size() / wanted;
      const auto is_short = [&](const Ended& one) { return one.seconds <= short_enough; };
      const auto found = std::find_if(begin, end, is_short);
      const Ended& one = found == end ? *begin : *found;
      if (one.seconds > left) continue;
      left -= one.seconds;
      cases.push_back(one.what);
    }
  return cases;
}

std::string Repeats::learn(const Settings& settings, const Environment& environment,
                           ProgressReporter& progress, Environment* learnt) const {
  const std::vector<Case> cases = chosen();
  if (cases.size() < static_cast<std::size_t>(min_repeated)) return {};
  std::map<std::string, Interval> first;
  for (const auto& [model, ended] : models_)
    for (const Ended& one : ended) first[key_of(one.what)] = one.call_time;
  Settings again = settings;
  again.transfers = again.counters = false;
  std::vector<Repeated> repeated;
  sweep(cases, again, 0, worker_command(), environment, progress, [&](const Measurement& measurement) {
    if (measurement.status == Status::ok)
      repeated.push_back(
          {measurement.what, first.at(key_of(measurement.what)), lasting_interval(measurement.call_times)});
  });
  record_run_to_run(repeated, learnt);
  const std::optional<RunToRun> noise = run_to_run(repeated);
  if (!noise) return {};
  return fmt::format(
      "{} cases measured once more: runs differ by ± {} beyond what the samples say (95 %); `show` and `report` count "
      "that in",
      noise->pairs, format_percent(across_runs({1, 1, 1, 1, min_interval_samples}, *noise).high - 1));
}

}  // namespace sextant
