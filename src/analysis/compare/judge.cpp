#include "analysis/compare/judge.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "analysis/compare/intervals.hpp"
#include "base/plural.hpp"
#include "record/device_time.hpp"

namespace sextant {
namespace {

// True if the verdict rests on call times that the work of other GPUs disturbed.
bool by_disturbed_calls(const ComparedCase& c) {
  const auto disturbed = [](const Summary* s) {
    return s->measurement->isolation == Isolation::calls_disturbed;
  };
  return c.time == ComparedTime::call && (disturbed(c.base) || disturbed(c.other));
}

// True if more threads wanted to run than the processor can run at once. Then threads that wait for each
// other, for example at OpenMP barriers, measure the scheduler. This can slow down all samples of a run.
bool overloaded(const Summary& s) {
  if (!s.session || !s.on_host || s.model == "serial") return false;
  const auto value = [&](const char* key) {
    const auto found = s.session->environment.find(key);
    return found == s.session->environment.end() ? 0.0 : std::atof(found->second.c_str());
  };
  return value("cpu.threads") > 0 && value("load") > value("cpu.threads");
}

double deviation_of(const Interval& interval) {
  constexpr double unknown = 0.5;  // the deviation if the interval has no positive lower bound
  return interval.low > 0 ? std::log(interval.high / interval.low) / (2 * normal_95) : unknown;
}

// Says why a difference is not certain, and how many more runs may decide. The width of the interval falls
// with the square root of the number of runs.
std::string not_certain(double log_ratio, double limit, const CaseRuns& base, const CaseRuns& other) {
  constexpr double most = 50;
  const auto held = static_cast<double>(std::min(base.times.size(), other.times.size()));
  const double share = limit / std::abs(log_ratio), more = std::ceil(held * share * share) - held;
  if (!(more < most)) return "two runs of the same case may differ by as much";
  return "two runs of the same case may differ by as much; about " +
         plural(static_cast<std::size_t>(std::max(more, 1.0)), "more run") + " per side would decide";
}

}  // namespace

CaseRuns case_runs(const std::vector<const Summary*>& summaries, ComparedTime time) {
  CaseRuns all;
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
    if (has_visits && summaries.size() == 1) all.times = s->visits;
  }
  return all;
}

Judge::Judge(double threshold) : threshold_(std::log1p(threshold)) {}

void Judge::learn(const Summary& what, const CaseRuns& runs, ComparedTime time) {
  if (runs.is_single() || runs.empty()) return;
  spreads(time).add(what.measurement->what, runs.times);
  source_ = NoiseSource::visits;
}

void Judge::add_ratio(const Summary& what, const CaseRuns& base, const CaseRuns& other, ComparedTime time) {
  if (base.is_single() && other.is_single())
    ratios_.push_back({what.measurement->what, time, std::exp(base.times.front().log),
                       other.times.front().log - base.times.front().log,
                       std::hypot(base.sampling, other.sampling)});
}

void Judge::learn_from_ratios(bool without_common) {
  constexpr std::size_t fewest = 8;
  for (const ComparedTime time : {ComparedTime::device, ComparedTime::call}) {
    std::vector<const Ratio*> unknown;
    std::vector<double> logs;
    for (const Ratio& ratio : ratios_) {
      if (ratio.time != time) continue;
      logs.push_back(ratio.log_ratio);
      if (!spreads(time).knows(ratio.what, ratio.seconds)) unknown.push_back(&ratio);
    }
    if (unknown.size() < fewest) continue;
    const double common = without_common ? median_interval(logs).median : 0;
    for (const Ratio* ratio : unknown)
      spreads(time).add_ratio(ratio->what, ratio->seconds, ratio->log_ratio - common, ratio->sampling);
    if (source_ == NoiseSource::typical) source_ = NoiseSource::comparison;
  }
}

Centre Judge::centre(const CaseRuns& runs, const ComparedCase& c) const {
  const double seconds = std::exp(runs.times.front().log);
  Centre centre = centre_of(runs.times, spreads(c.time).of(c.base->measurement->what, seconds));
  if (runs.is_single()) centre.deviation = std::hypot(centre.deviation, runs.sampling);
  return centre;
}

double Judge::limit(const CaseRuns& base, const CaseRuns& other, const ComparedCase& c) const {
  return difference(centre(other, c), centre(base, c)).half_width(normal_99_5);
}

void Judge::judge(const CaseRuns& base, const CaseRuns& other, ComparedCase* c) const {
  const Centre before = centre(base, *c), now = centre(other, *c), apart = difference(now, before);
  const double wide = apart.half_width(normal_95), limit = apart.half_width(normal_99_5);
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
  else if (std::abs(apart.log) <= limit)
    c->reason = not_certain(apart.log, limit, base, other);
  else if (base.is_single() && other.is_single() && (overloaded(*c->base) || overloaded(*c->other)))
    c->reason = "more threads were ready than the processor can run, and threads wait for each other";
  else
    c->verdict = apart.log > 0 ? Verdict::slower : Verdict::faster;
}

}  // namespace sextant
