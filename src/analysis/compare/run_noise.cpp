#include "analysis/compare/run_noise.hpp"

#include <algorithm>
#include <cmath>

namespace sextant {
namespace {

// Run-to-run ratios of loaded machines have the tails of Student's t with 2 degrees of freedom
// (docs/comparing.md): its 97.5 % point over its 87.5 % point is 4.303 / 1.604.
constexpr double interval_quartiles = 2.68;
// What a difference has to exceed, in quartiles; with the agreement of median and minimum that a verdict
// needs besides, fewer than 1 in 100 same cases do (measured: docs/comparing.md).
constexpr double limit_quartiles = 6;
// Where the ratios themselves tell their tail, a difference has to exceed it by half. Changed cases among
// them only make the tail longer, and the quartiles then hold.
constexpr double limit_tails = 1.5;
constexpr std::size_t min_tail_ratios = 30;
constexpr double class_bounds[] = {0.01, 0.04};  // of the sample noise
constexpr std::size_t most_lags = 50;

std::size_t class_of(double sample_noise) {
  std::size_t index = 0;
  while (index < std::size(class_bounds) && !(sample_noise < class_bounds[index])) ++index;
  return index;
}

}  // namespace

double dependence(std::span<const double> samples) {
  const std::size_t n = samples.size();
  if (n < 8) return 1;
  const double median = median_interval(samples).median;
  std::vector<double> above(n);
  double mean = 0;
  for (std::size_t i = 0; i < n; ++i)
    mean += above[i] = samples[i] > median ? 1 : samples[i] < median ? 0 : 0.5;
  mean /= static_cast<double>(n);
  double variance = 0;
  for (double& value : above) {
    value -= mean;
    variance += value * value;
  }
  if (!(variance > 0)) return 1;
  double factor = 1;
  for (std::size_t lag = 1; lag <= std::min(most_lags, n / 4); ++lag) {
    double sum = 0;
    for (std::size_t i = lag; i < n; ++i) sum += above[i] * above[i - lag];
    if (sum / variance < 0.05) break;
    factor += 2 * sum / variance;
  }
  return std::min(factor, static_cast<double>(n));
}

Interval dependent_median_interval(std::span<const double> samples) {
  Interval interval = median_interval(samples);
  if (interval.samples < min_interval_samples || !(interval.low > 0)) return interval;
  const double stretch = std::sqrt(dependence(samples));
  interval.low = interval.median * std::pow(interval.low / interval.median, stretch);
  interval.high = interval.median * std::pow(interval.high / interval.median, stretch);
  return interval;
}

Shift shift_interval(std::span<const double> a, std::span<const double> b) {
  const std::size_t n = a.size(), m = b.size();
  constexpr std::size_t most = 30;  // of either: the interval of more is as good as normal, and nobody asks
  if (n == 0 || m == 0 || n > most || m > most) return {};
  // ways[j][u]: in how many orders of i values of a and j of b, u pairs have b's value first.
  std::vector<std::vector<double>> ways(m + 1, std::vector<double>(n * m + 1, 0));
  for (auto& row : ways) row[0] = 1;
  for (std::size_t i = 1; i <= n; ++i)
    for (std::size_t j = 1; j <= m; ++j)
      for (std::size_t u = n * m + 1; u-- > 0;)
        // the last in order is of a (all j of b came before it) or of b
        ways[j][u] = (u >= j ? ways[j][u - j] : 0) + ways[j - 1][u];
  double all = 0, below = 0;
  for (const double count : ways[m]) all += count;
  std::size_t rank = 0;  // so many of the differences are left out at either end
  while (rank < n * m && below + ways[m][rank] <= 0.025 * all) below += ways[m][rank++];
  if (rank == 0) return {};
  std::vector<double> differences;
  for (const double from : a)
    for (const double to : b) differences.push_back(to - from);
  std::sort(differences.begin(), differences.end());
  return {true, differences[rank - 1], differences[n * m - rank]};
}

double RunNoise::interval() const { return interval_quartiles * quartile; }
double RunNoise::limit() const {
  const double by_quartile = limit_quartiles * quartile;
  return tail > 0 ? std::min(by_quartile, limit_tails * tail) : by_quartile;
}

RunNoise run_noise(std::vector<double> log_ratios, RunNoise::Source source) {
  if (log_ratios.size() < min_noise_ratios) return {};
  for (double& ratio : log_ratios) ratio = std::abs(ratio);
  std::sort(log_ratios.begin(), log_ratios.end());
  const std::size_t n = log_ratios.size();
  return {source, log_ratios[(3 * n + 3) / 4 - 1],
          n < min_tail_ratios ? 0 : log_ratios[(19 * n + 19) / 20 - 1]};
}

const RunNoise& NoiseModel::at(double sample_noise) const {
  const RunNoise& own = classes[class_of(sample_noise)];
  return own.source == RunNoise::Source::unknown ? all : own;
}

std::pair<double, double> NoiseModel::limits() const {
  std::pair<double, double> found = {all.limit(), all.limit()};
  bool first = true;
  for (const RunNoise& one : classes) {
    const double limit = (one.source == RunNoise::Source::unknown ? all : one).limit();
    found = first ? std::pair(limit, limit)
                  : std::pair(std::min(found.first, limit), std::max(found.second, limit));
    first = false;
  }
  return found;
}

NoiseModel noise_model(const std::vector<NoiseRatio>& ratios, RunNoise::Source source) {
  std::vector<double> all;
  std::array<std::vector<double>, 3> by_class;
  for (const NoiseRatio& ratio : ratios) {
    all.push_back(ratio.log_ratio);
    by_class[class_of(ratio.sample_noise)].push_back(ratio.log_ratio);
  }
  NoiseModel model;
  model.all = run_noise(std::move(all), source);
  for (std::size_t i = 0; i < by_class.size(); ++i)
    if (by_class[i].size() >= min_class_ratios) model.classes[i] = run_noise(std::move(by_class[i]), source);
  return model;
}

}  // namespace sextant
