#include "record/run_to_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include "record/keys.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

constexpr double normal = 1.960;  // 97.5 % point of the normal distribution

// The 97.5 % points of Student's t with min_repeated to 12 degrees of freedom; more count as 12.
double students_t(int degrees) {
  constexpr double points[] = {2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179};
  return points[std::clamp(degrees, min_repeated, 12) - min_repeated];
}

bool has_interval(const Interval& interval) {
  return interval.samples >= min_interval_samples && interval.low > 0 && interval.high >= interval.low;
}

// The variance of the logarithm of the median that an interval stands for.
double variance_of(const Interval& interval) {
  const double half_width = std::log(interval.high / interval.low) / 2 / normal;
  return half_width * half_width;
}

// A pair's squared difference, and the variance that both intervals explain.
struct Pair {
  double square, explained;
};

double excess_of(const std::vector<Pair>& pairs, double variance) {
  double sum = 0;
  for (const Pair& pair : pairs) sum += pair.square / std::max(pair.explained + 2 * variance, 1e-30);
  return sum - static_cast<double>(pairs.size());
}

std::string class_of(const Case& what) { return is_on_cpu(what.device) ? "cpu" : "gpu"; }

std::string key_of_class(const Case& what) { return "run_to_run." + class_of(what); }
std::string key_of_model(const Case& what) { return key_of_class(what) + "." + model_of(what.variant); }

}  // namespace

std::optional<RunToRun> run_to_run(std::span<const Repeated> repeated) {
  std::vector<Pair> pairs;
  for (const Repeated& one : repeated) {
    if (!has_interval(one.first) || !has_interval(one.again)) continue;
    const double difference = std::log(one.again.median / one.first.median);
    pairs.push_back({difference * difference, variance_of(one.first) + variance_of(one.again)});
  }
  const int count = static_cast<int>(pairs.size());
  if (count < min_repeated) return std::nullopt;
  double low = 0, high = 1e-8;  // variances; the excess falls with the variance
  while (excess_of(pairs, high) > 0) high *= 4;
  if (excess_of(pairs, low) <= 0) return RunToRun{0, count};
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (excess_of(pairs, middle) > 0 ? low : high) = middle;
  }
  return RunToRun{std::sqrt(high), count};
}

void record_run_to_run(std::span<const Repeated> repeated, Environment* environment) {
  std::map<std::string, std::vector<Repeated>> groups;
  for (const Repeated& one : repeated) {
    groups[key_of_class(one.what)].push_back(one);
    groups[key_of_model(one.what)].push_back(one);
  }
  for (const auto& [key, group] : groups)
    if (const std::optional<RunToRun> noise = run_to_run(group)) {
      char text[64];
      std::snprintf(text, sizeof text, "%.4g of %d", noise->deviation, noise->pairs);
      (*environment)[key] = text;
    }
}

std::optional<RunToRun> run_to_run_of(const Environment& environment, const Case& what) {
  for (const std::string& key : {key_of_model(what), key_of_class(what)}) {
    RunToRun noise;
    if (std::sscanf(value_of(environment, key).c_str(), "%lf of %d", &noise.deviation, &noise.pairs) == 2 &&
        noise.deviation >= 0 && noise.deviation < 100 && noise.pairs >= min_repeated)
      return noise;
  }
  return std::nullopt;
}

Interval across_runs(const Interval& interval, const RunToRun& noise) {
  if (!has_interval(interval)) return interval;
  const double between = students_t(noise.pairs) * noise.deviation;
  Interval wide = interval;
  wide.low = interval.median * std::exp(-std::hypot(std::log(interval.median / interval.low), between));
  wide.high = interval.median * std::exp(std::hypot(std::log(interval.high / interval.median), between));
  return wide;
}

}  // namespace sextant
