#include "record/visits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "record/device_time.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "record/run_to_run.hpp"

namespace sextant {
namespace {

constexpr double prior_degrees = 4;
// outliers are moved to this many standard deviations from the median
constexpr double furthest = 2.5;

// Classes of call durations: mostly launch overhead, launch overhead and work, or mostly work.
enum class Length : std::uint8_t { launch, some_work, work };

Length length_of(double seconds) {
  return seconds < 20e-6 ? Length::launch : seconds < 200e-6 ? Length::some_work : Length::work;
}

// Returns a typical standard deviation of log(time) between processes. Measured on an H200 and its host, 27
// November 2026: sixteen visits of 104 cases, and five runs of 89 cases for device times.
double usual(const Case& what, Length length, bool of_device_times) {
  if (of_device_times) return length == Length::launch ? 0.009 : 0.002;
  if (is_on_cpu(what.device)) return 0.12;
  return length == Length::launch ? 0.06 : length == Length::some_work ? 0.04 : 0.01;
}

std::string kind_of(const Case& what, Length length) {
  return std::string(is_on_cpu(what.device) ? "cpu " : "gpu ") + model_of(what.variant) + " " +
         std::to_string(static_cast<int>(length));
}

// Returns the key of a pair of cases, which does not depend on their order.
std::string kind_of(const Case& a, const Case& b, Length length) {
  const std::string one = kind_of(a, length), other = kind_of(b, length);
  return one < other ? one + "|" + other : other + "|" + one;
}

double median_of(std::vector<double> values) { return median_interval(values).median; }

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> logs_of(std::span<const VisitTime> times) {
  std::vector<double> logs;
  for (const VisitTime& time : times) logs.push_back(time.log);
  return logs;
}

// Returns log(slow / fast) for each process that measured both cases.
std::vector<double> paired(std::span<const VisitTime> slow, std::span<const VisitTime> fast) {
  std::vector<double> ratios;
  for (const VisitTime& one : slow)
    for (const VisitTime& other : fast)
      if (one.process == other.process) ratios.push_back(one.log - other.log);
  return ratios;
}

double margin = 0.03;

// Combines a prior standard deviation, with the weight of prior_degrees, with that of the residuals.
double joined(double prior, const std::vector<double>& residuals) {
  constexpr double normal_quartile = 0.6745;  // median distance of standard normal values from their mean
  const double measured = median_of(residuals) / normal_quartile;
  const auto count = static_cast<double>(residuals.size());
  return std::sqrt((prior_degrees * prior * prior + count * measured * measured) / (prior_degrees + count));
}

bool is_equal(const Interval& ratio) { return ratio.low >= 1 / (1 + margin) && ratio.high <= 1 + margin; }

Contest told(const Centre& centre, std::size_t visits) {
  const double wide = centre.half_width(normal_95), wider = centre.half_width(normal_99_5);
  Contest result;
  result.ratio = {std::exp(centre.log - wide), std::exp(centre.log), std::exp(centre.log + wide),
                  std::exp(centre.log), visits};
  result.decision = is_equal(result.ratio) ? Decision::equal
                    : centre.log > wider   ? Decision::faster
                                           : Decision::open;
  return result;
}

// Returns the mean device time of a case from a single process.
Centre device_centre(const Measurement& m) {
  const Interval time = middle_mean(m.device_times, gpu_timer_step);
  const double spread = Spreads(true).of(m.what, time.median);
  const double samples = time.low > 0 ? std::log(time.high / time.low) / (2 * normal_95) : 0;
  return {std::log(time.median), std::hypot(spread, samples), prior_degrees};
}

}  // namespace

double equal_within() { return margin; }
void set_equal_within(double share) { margin = share; }

std::vector<VisitTime> visit_times(const Measurement& m) {
  std::vector<VisitTime> times;
  const double first = median_of(m.call_times);
  if (!(first > 0)) return times;
  const double seen = m.seen_times.empty() ? first : median_of(m.seen_times);
  const bool beside_recording = !m.device_times.empty() && m.visits.size() > 1;
  if (!beside_recording) times.push_back({0, std::log(first)});
  for (const Visit& visit : m.visits)
    if (const double time = median_of(visit.call_times); time > 0)
      times.push_back({visit.process, std::log(time * first / seen)});
  return times;
}

void Spreads::add(const Case& what, std::span<const VisitTime> times) {
  if (times.size() < 2) return;
  const std::vector<double> logs = logs_of(times);
  const auto count = static_cast<double>(logs.size());
  const double mean = mean_of(logs);
  std::vector<double>& residuals = residuals_[kind_of(what, length_of(std::exp(mean)))];
  for (const double log : logs) residuals.push_back(std::abs(log - mean) * std::sqrt(count / (count - 1)));
}

void Spreads::add_ratio(const Case& what, double seconds, double log_ratio, double sampling) {
  const double beyond = std::max(0.0, log_ratio * log_ratio - sampling * sampling);
  residuals_[kind_of(what, length_of(seconds))].push_back(std::sqrt(beyond / 2));
}

std::size_t Spreads::count(const Case& what, double seconds) const {
  const auto found = residuals_.find(kind_of(what, length_of(seconds)));
  return found == residuals_.end() ? 0 : found->second.size();
}

double Spreads::of(const Case& what, double seconds) const {
  const Length length = length_of(seconds);
  const double prior = scale_ * usual(what, length, of_device_times_);
  const auto found = residuals_.find(kind_of(what, length));
  return found == residuals_.end() ? prior : joined(prior, found->second);
}

void RatioSpreads::add(const Case& a, std::span<const VisitTime> of_a, const Case& b,
                       std::span<const VisitTime> of_b) {
  const std::vector<double> ratios = paired(of_a, of_b);
  if (ratios.size() < 2) return;
  const auto count = static_cast<double>(ratios.size());
  const double mean = mean_of(ratios), seconds = std::exp(std::min(of_a.front().log, of_b.front().log));
  std::vector<double>& residuals = residuals_[kind_of(a, b, length_of(seconds))];
  for (const double ratio : ratios)
    residuals.push_back(std::abs(ratio - mean) * std::sqrt(count / (count - 1)));
}

double RatioSpreads::of(const Case& a, const Case& b, double seconds, double independent) const {
  const auto found = residuals_.find(kind_of(a, b, length_of(seconds)));
  return found == residuals_.end() ? independent : joined(independent, found->second);
}

SessionSpreads session_spreads(std::span<const Measurement* const> measurements) {
  SessionSpreads spreads;
  std::map<std::string, const Measurement*> first;  // by problem
  for (const Measurement* one : measurements) {
    const std::vector<VisitTime> times = visit_times(*one);
    if (times.empty()) continue;
    spreads.times.add(one->what, times);
    const Measurement* const other = first.try_emplace(key_of(problem_case(one->what)), one).first->second;
    if (other != one) spreads.ratios.add(one->what, times, other->what, visit_times(*other));
  }
  return spreads;
}

double Centre::half_width(double z) const {
  const double z2 = z * z, d = degrees;
  const double t = z * (1 + (z2 + 1) / (4 * d) + (5 * z2 * z2 + 16 * z2 + 3) / (96 * d * d) +
                        (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * d * d * d));
  return t * deviation;
}

Centre centre_of(std::span<const double> logs, double spread) {
  std::vector<double> near(logs.begin(), logs.end());
  const double median = median_of(near);
  if (near.size() > 2)
    for (double& log : near) log = std::clamp(log, median - furthest * spread, median + furthest * spread);
  Centre centre;
  centre.log = mean_of(near);
  double squares = prior_degrees * spread * spread;
  for (const double log : near) squares += (log - centre.log) * (log - centre.log);
  const auto count = static_cast<double>(near.size());
  centre.degrees = prior_degrees + count - 1;
  centre.deviation = std::sqrt(squares / centre.degrees / count);
  return centre;
}

Centre centre_of(std::span<const VisitTime> times, double spread) {
  return centre_of(logs_of(times), spread);
}

Centre difference(const Centre& of, const Centre& from) {
  const double a = of.deviation * of.deviation, b = from.deviation * from.deviation;
  const double degrees = (a + b) * (a + b) / (a * a / of.degrees + b * b / from.degrees);
  return {of.log - from.log, std::sqrt(a + b), degrees};
}

Interval interval_of(std::span<const VisitTime> times, double spread, const Measurement& m) {
  const Centre centre = centre_of(times, spread);
  const double wide = centre.half_width(normal_95);
  Interval interval{std::exp(centre.log - wide), std::exp(centre.log), std::exp(centre.log + wide),
                    median_interval(m.call_times).minimum, m.call_times.size()};
  for (const Visit& visit : m.visits)
    for (const double time : visit.call_times) {
      ++interval.samples;
      interval.minimum = std::min(interval.minimum, time);
    }
  return interval;
}

Interval interval_of(const Interval& stay, double spread) {
  return across_runs(stay, {spread, static_cast<int>(prior_degrees)});
}

Contest contest_of(const Interval& slow, const Interval& fast) {
  Contest result;
  result.ratio = ratio_of_medians(slow, fast);
  result.decision = is_equal(result.ratio) ? Decision::equal
                    : result.ratio.low > 1 ? Decision::faster
                                           : Decision::open;
  return result;
}

Contest contest(const Contestant& slow, const Contestant& fast, const RatioSpreads* known) {
  const bool on_gpus = !is_on_cpu(slow.measurement.what.device) && !is_on_cpu(fast.measurement.what.device);
  const bool had_visits = slow.spread > 0 && fast.spread > 0;  // older sessions have no visits
  if (on_gpus && had_visits && compare_on_device(slow.measurement, fast.measurement)) {
    Contest result = told(difference(device_centre(slow.measurement), device_centre(fast.measurement)), 1);
    result.by_device = true;
    if (result.decision != Decision::open) return result;  // call times may still decide
  }
  // Fraction of the spread between processes that two cases do not share. Measured on an H200 and its host,
  // 30 November 2026: 0.33 to 0.49 for two cases of one model, 0.3 to 0.7 for a library and CUDA, 0.9 for
  // most other pairs.
  const bool same_model = model_of(slow.measurement.what.variant) == model_of(fast.measurement.what.variant);
  const double not_common = same_model ? 0.45 : on_gpus ? 0.5 : 1;
  const double independent = std::hypot(slow.spread, fast.spread), spread = not_common * independent;
  if (const std::vector<double> ratios = paired(slow.visits, fast.visits); ratios.size() >= 2) {
    const double of_ratios = known ? known->of(slow.measurement.what, fast.measurement.what,
                                               std::exp(fast.visits.front().log), spread)
                                   : spread;
    return told(centre_of(ratios, std::min(of_ratios, independent)), ratios.size());
  }
  if (std::min(slow.visits.size(), fast.visits.size()) >= 2)
    return told(difference(centre_of(slow.visits, slow.spread), centre_of(fast.visits, fast.spread)),
                std::min(slow.visits.size(), fast.visits.size()));
  return contest_of(slow.time, fast.time);
}

}  // namespace sextant
