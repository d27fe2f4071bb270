#include "analysis/compare/run_noise.hpp"

#include <algorithm>
#include <cmath>

namespace sextant {
namespace {

// Half-width of the 95 % interval, in quartiles of the noise. On loaded machines, run-to-run ratios have the
// tails of Student's t with 2 degrees of freedom (docs/how-to/comparing.md). Its 97.5 % point is 4.303 and
// its 87.5 % point is 1.604.
constexpr double interval_quartiles = 2.68;
// A difference must exceed this many quartiles to get a verdict. A verdict also needs median and minimum to
// agree. Together, both rules misjudge fewer than 1 in 100 unchanged cases (measured:
// docs/how-to/comparing.md).
constexpr double limit_quartiles = 6;
// With enough ratios, a difference may instead exceed a multiple of their 95 % point (RunNoise::tail). The
// multiple is 1.5, and 2 for call times, whose outliers are larger. Cases that really changed only lengthen
// the tail, and then the limit from the quartiles applies.
constexpr double call_tails = 2;
constexpr std::size_t min_tail_ratios = 20;
constexpr double class_bounds[] = {0.01, 0.04};  // upper bounds of the classes of sample noise
constexpr std::size_t most_lags = 50;

// On a GPU, array placement in memory also differs from run to run. It adds 1 % of noise even if the samples
// of a case agree perfectly. In 1 case of 100 it adds up to 6 %, whatever the samples show.
constexpr double least_device_noise = 0.01, least_device_limit = 0.06;

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
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

namespace {

// Number of differences outside the interval at each end. Their total probability is at most `miss` / 2.
// of at most `miss` / 2.
std::size_t exact_rank(std::size_t n, std::size_t m, double miss) {
  // ways[j][u]: number of orders of i values of a and j values of b in which b comes first in u pairs (i, the
  // loop below)
  std::vector<std::vector<double>> ways(m + 1, std::vector<double>(n * m + 1, 0));
  for (auto& row : ways) row[0] = 1;
  for (std::size_t i = 1; i <= n; ++i)
    for (std::size_t j = 1; j <= m; ++j)
      for (std::size_t u = n * m + 1; u-- > 0;)
        // the last value in order is from a (after all j values of b) or from b
        ways[j][u] = (u >= j ? ways[j][u - j] : 0) + ways[j - 1][u];
  double all = 0, below = 0;
  for (const double count : ways[m]) all += count;
  std::size_t rank = 0;
  while (rank < n * m && below + ways[m][rank] <= miss / 2 * all) below += ways[m][rank++];
  return rank;
}

// The same rank by the normal approximation, for many values.
std::size_t normal_rank(std::size_t n, std::size_t m, double miss) {
  double low = 0, high = 40;  // bisects the number of standard deviations with probability miss / 2 beyond it
  while (high - low > 1e-9) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) > miss ? low : high) = middle;
  }
  const double pairs = static_cast<double>(n) * static_cast<double>(m);
  const double rank = pairs / 2 - high * std::sqrt(pairs * static_cast<double>(n + m + 1) / 12);
  return rank > 1 ? static_cast<std::size_t>(rank) : 0;
}

}  // namespace

Shift shift_interval(std::span<const double> a, std::span<const double> b, double miss) {
  const std::size_t n = a.size(), m = b.size();
  constexpr std::size_t most_exact = 30;  // values of each sample
  if (n == 0 || m == 0) return {};
  const std::size_t rank =
      n <= most_exact && m <= most_exact ? exact_rank(n, m, miss) : normal_rank(n, m, miss);
  if (rank == 0) return {};
  std::vector<double> differences;
  for (const double from : a)
    for (const double to : b) differences.push_back(to - from);
  std::sort(differences.begin(), differences.end());
  return {true, differences[rank - 1], differences[n * m - rank], median_interval(differences).median};
}

Interval middle_mean(std::span<const double> samples, double step) {
  if (samples.empty()) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size(), quarter = n / 4;
  Interval interval;
  interval.samples = n;
  interval.median = mean(std::span(sorted).subspan(quarter, n - 2 * quarter));
  interval.minimum = mean(std::span(sorted).first(std::max<std::size_t>(quarter, 1)));
  if (!(interval.median > 0)) return interval;
  // The spread is the standard error of the middle mean. Under a normal distribution it is 1.1 standard
  // deviations over the square root of n, and the quartiles are 1.35 standard deviations apart. With fewer
  // than four samples, half of their range is used instead.
  const double spread = n < 4 ? (sorted.back() - sorted.front()) / 2
                              : 0.82 * (sorted[3 * n / 4] - sorted[quarter]) / std::sqrt(double(n));
  const double error = std::hypot(spread, step / std::sqrt(12.0)) / interval.median;
  interval.low = interval.median * std::exp(-1.96 * error);
  interval.high = interval.median * std::exp(1.96 * error);
  return interval;
}

double RunNoise::interval() const {
  const double by_quartile = interval_quartiles * quartile;
  return tail > 0 ? std::min(by_quartile, tail) : by_quartile;
}

double RunNoise::limit() const {
  const double by_quartile = limit_quartiles * quartile;
  return std::max(least, tail > 0 ? std::min(by_quartile, tails * tail) : by_quartile);
}

RunNoise run_noise(std::vector<double> log_ratios, RunNoise::Source source) {
  if (log_ratios.size() < min_noise_ratios) return {};
  for (double& ratio : log_ratios) ratio = std::abs(ratio);
  std::sort(log_ratios.begin(), log_ratios.end());
  const std::size_t n = log_ratios.size();
  return {source, log_ratios[(3 * n + 3) / 4 - 1],
          n < min_tail_ratios ? 0 : log_ratios[(19 * n + 19) / 20 - 1]};
}

NoiseKind device_kind(const std::string& model, const Interval& base, const Interval& other) {
  const auto error = [](const Interval& run) {
    return run.median > 0 && run.low > 0 ? std::log(run.high / run.low) / (2 * 1.96) : 0.0;
  };
  return {"device", model, std::hypot(least_device_noise, error(base), error(other)), least_device_limit};
}

NoiseKind call_kind(const std::string& model, double sample_noise) {
  const char* steadiness = sample_noise < class_bounds[0]   ? " within 1 %"
                           : sample_noise < class_bounds[1] ? " within 4 %"
                                                            : " beyond";
  return {"call", model + steadiness, 1, 0, call_tails};
}

NoiseModel::NoiseModel(const std::vector<NoiseRatio>& ratios, RunNoise::Source source) {
  std::vector<double> all;
  std::map<std::string, std::vector<double>> times, kinds;
  for (const NoiseRatio& ratio : ratios) {
    const double units = ratio.log_ratio / ratio.kind.own;
    all.push_back(ratio.log_ratio);
    times[ratio.kind.time].push_back(units);
    kinds[ratio.kind.time + ratio.kind.of].push_back(units);
  }
  all_ = run_noise(std::move(all), source);
  for (auto& [time, values] : times) times_[time] = run_noise(std::move(values), source);
  for (auto& [kind, values] : kinds)
    if (values.size() >= min_kind_ratios) kinds_[kind] = run_noise(std::move(values), source);
}

RunNoise NoiseModel::at(const NoiseKind& kind) const {
  RunNoise noise = all_;
  double own = 1;
  const auto of_kind = kinds_.find(kind.time + kind.of), of_time = times_.find(kind.time);
  if (of_kind != kinds_.end())
    noise = of_kind->second, own = kind.own;
  else if (of_time != times_.end() && of_time->second.source != RunNoise::Source::unknown)
    noise = of_time->second, own = kind.own;
  noise.quartile *= own;
  noise.tail *= own;
  noise.least = kind.least;
  noise.tails = kind.tails;
  return noise;
}

}  // namespace sextant
