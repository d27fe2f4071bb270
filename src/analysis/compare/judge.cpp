#include "analysis/compare/judge.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "analysis/compare/intervals.hpp"
#include "base/plural.hpp"
#include "record/device_time.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// True if the verdict rests on call times that the work of other GPUs disturbed.
bool by_disturbed_calls(const ComparedCase& c) {
  const auto disturbed = [](const Summary* s) {
    return s->measurement->isolation == Isolation::calls_disturbed;
  };
  return c.time == ComparedTime::call && (disturbed(c.base) || disturbed(c.other));
}

// True if more threads wanted to run than the processor can run at once. Threads that wait for each other,
// for example at OpenMP barriers, then depend on the operating system's scheduler. This can slow down all
// samples of a run.
bool overloaded(const Summary& s) {
  if (!s.session || !s.on_host || s.model == "serial") return false;
  const auto value = [&](const char* key) {
    const auto found = s.session->environment.find(key);
    return found == s.session->environment.end() ? 0.0 : std::atof(found->second.c_str());
  };
  return value("cpu.threads") > 0 && value("load") > value("cpu.threads");
}

// least number of time ratios from which the noise between runs is estimated
constexpr std::size_t fewest_ratios = 4;

double deviation_of(const Interval& interval) {
  constexpr double unknown = 0.5;  // the deviation if the interval has no positive lower bound
  return interval.low > 0 ? std::log(interval.high / interval.low) / (2 * normal_95) : unknown;
}

// Says why a difference is not certain, and how many more runs may decide. The estimate assumes that the
// width of the interval falls with the square root of the number of runs.
std::string not_certain(double log_ratio, double limit, const CaseRuns& base, const CaseRuns& other) {
  constexpr double most = 50;
  const auto held = static_cast<double>(std::min(base.times.size(), other.times.size()));
  const double share = limit / std::abs(log_ratio), more = std::ceil(held * share * share) - held;
  if (!(more < most)) return "two runs of the same case may differ by as much";
  return "two runs of the same case may differ by as much; about " +
         plural(static_cast<std::size_t>(std::max(more, 1.0)), "more run") + " on both sides would decide";
}

}  // namespace

CaseRuns case_runs(const std::vector<const Summary*>& summaries, ComparedTime time) {
  CaseRuns all;
  const Summary* visited = nullptr;
  for (const Summary* s : summaries) {
    const bool by_device = time == ComparedTime::device;
    const std::vector<double>& samples =
        by_device ? s->measurement->device_times : s->measurement->call_times;
    if (s->measurement->status != Status::ok || samples.empty()) continue;
    const Interval interval =
        by_device ? middle_mean(samples, gpu_timer_step) : dependent_median_interval(samples);
    if (!(interval.median > 0)) continue;
    all.minimum = all.runs ? std::min(all.minimum, interval.minimum) : interval.minimum;
    all.sampling = deviation_of(interval);
    const bool has_visits = !by_device && s->visits.size() > 1;
    const double log = has_visits ? centre_of(s->visits, s->spread).log : std::log(interval.median);
    all.times.push_back({static_cast<int>(all.runs++), log});
    if (has_visits) visited = s;
  }
  if (all.runs == 1 && visited) all.times = visited->visits;
  return all;
}

Judge::Judge(double threshold) : threshold_(std::log1p(threshold)) {}

void Judge::learn(const Summary& what, const CaseRuns& runs, ComparedTime time) {
  if (runs.is_single() || runs.empty()) return;
  of(time).processes.add(what.measurement->what, runs.times);
  source_ = NoiseSource::visits;
}

void Judge::add_ratio(const Summary& what, const CaseRuns& base, const CaseRuns& other, ComparedTime time) {
  if (base.runs != 1 || other.runs != 1) return;
  const Case& one = what.measurement->what;
  const Centre apart = difference(within_run(other, one, time), within_run(base, one, time));
  const bool by_visits = time == ComparedTime::call && !base.is_single() && !other.is_single();
  ratios_.push_back({one, time, std::exp(base.times.front().log), apart.log,
                     by_visits ? apart.deviation : std::hypot(base.sampling, other.sampling), by_visits});
}

void Judge::learn_from_ratios(bool without_common) {
  for (const ComparedTime time : {ComparedTime::device, ComparedTime::call}) {
    Known& known = of(time);
    std::vector<const Ratio*> single, visited;
    std::vector<double> logs;
    for (const Ratio& ratio : ratios_) {
      if (ratio.time != time) continue;
      logs.push_back(ratio.log_ratio);
      if (ratio.by_visits) visited.push_back(&ratio);
      if (!ratio.by_visits && known.processes.count(ratio.what, ratio.seconds) == 0) single.push_back(&ratio);
    }
    const double common = without_common ? median_interval(logs).median : 0;
    const auto add = [&](const std::vector<const Ratio*>& found, Spreads* spreads) {
      if (found.size() < fewest_ratios) return;
      for (const Ratio* one : found)
        spreads->add_ratio(one->what, one->seconds, one->log_ratio - common, one->explained);
      if (source_ == NoiseSource::typical) source_ = NoiseSource::comparison;
    };
    for (const Ratio& ratio : ratios_)
      if (ratio.time == time)
        known.distances[model_of(ratio.what.variant)].push_back(std::abs(ratio.log_ratio - common));
    for (auto& [model, distances] : known.distances) std::sort(distances.begin(), distances.end());
    add(single, &known.single);
    add(visited, &known.runs);
  }
}

// Returns a multiple of the 95 % quantile of the differences between single runs with this programming model.
// It is at most six upper quartiles, because real changes of many cases affect the quartile less.
double Judge::tail(const Case& what, ComparedTime time) const {
  constexpr std::size_t fewest = 20;
  constexpr double of_calls = 2, of_devices = 1.5, quartiles = 6;
  const auto found = of(time).distances.find(model_of(what.variant));
  if (found == of(time).distances.end() || found->second.size() < fewest) return 0;
  const std::vector<double>& sorted = found->second;
  const std::size_t n = sorted.size();
  return std::min(quartiles * sorted[(3 * n + 3) / 4 - 1],
                  (time == ComparedTime::call ? of_calls : of_devices) * sorted[(19 * n + 19) / 20 - 1]);
}

// Returns the mean of a side's runs. Its deviation covers the differences between processes.
Centre Judge::within_run(const CaseRuns& runs, const Case& what, ComparedTime time) const {
  const double seconds = std::exp(runs.times.front().log);
  const Known& known = of(time);
  const bool by_ratios =
      known.processes.count(what, seconds) == 0 && known.single.count(what, seconds) >= fewest_ratios;
  Centre centre = centre_of(runs.times, (by_ratios ? known.single : known.processes).of(what, seconds));
  if (runs.is_single()) centre.deviation = std::hypot(centre.deviation, runs.sampling);
  return centre;
}

// Returns the mean of a side's runs. For a single run with visits, the deviation also covers effects that all
// visits of one run share.
Centre Judge::centre(const CaseRuns& side, const ComparedCase& c) const {
  const Case& what = c.base->measurement->what;
  const Centre own = within_run(side, what, c.time);
  if (side.runs != 1 || side.is_single()) return own;
  constexpr double degrees = 4;
  const Centre of_run{0, of(c.time).runs.of(what, std::exp(side.times.front().log)), degrees};
  return difference(own, of_run);
}

double Judge::limit(const CaseRuns& base, const CaseRuns& other, const ComparedCase& c) const {
  const double certain = difference(centre(other, c), centre(base, c)).half_width(normal_99_5);
  const bool are_single = base.runs == 1 && other.runs == 1;
  return are_single ? std::max(certain, tail(c.base->measurement->what, c.time)) : certain;
}

void Judge::judge(const CaseRuns& base, const CaseRuns& other, ComparedCase* c) const {
  const Centre before = centre(base, *c), now = centre(other, *c), apart = difference(now, before);
  const double wide = apart.half_width(normal_95), certain = limit(base, other, *c);
  c->base_time = std::exp(before.log);
  c->other_time = std::exp(now.log);
  c->ratio = {std::exp(apart.log - wide), std::exp(apart.log), std::exp(apart.log + wide),
              base.minimum > 0 ? other.minimum / base.minimum : 0,
              std::min(base.times.size(), other.times.size())};
  if (by_disturbed_calls(*c))
    c->reason = "other GPUs were busy while its calls were sampled, which changes short call times";
  else if (std::abs(apart.log) + wide < threshold_)
    c->verdict = Verdict::equal;
  else if (std::abs(apart.log) <= threshold_)
    c->reason = "within the threshold, but too uncertain to be called equal";
  else if (std::abs(apart.log) <= certain)
    c->reason = not_certain(apart.log, certain, base, other);
  else if (base.is_single() && other.is_single() && (overloaded(*c->base) || overloaded(*c->other)))
    c->reason = "more threads were ready than the processor can run, and threads wait for each other";
  else
    c->verdict = apart.log > 0 ? Verdict::slower : Verdict::faster;
}

}  // namespace sextant
