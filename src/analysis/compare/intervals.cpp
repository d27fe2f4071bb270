#include "analysis/compare/intervals.hpp"

#include <algorithm>
#include <cmath>

namespace sextant {
namespace {

constexpr std::size_t most_lags = 50;

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
  const double widening = std::sqrt(dependence(samples));
  interval.low = interval.median * std::pow(interval.low / interval.median, widening);
  interval.high = interval.median * std::pow(interval.high / interval.median, widening);
  return interval;
}

namespace {

// Returns how many of the n * m sorted pairwise differences the interval leaves out at each end. `n` and `m`
// are the sample sizes. At each end, the error probability is at most `miss` / 2 (exact rank-sum test).
std::size_t exact_rank(std::size_t n, std::size_t m, double miss) {
  // Counts the merged orders of i values of `a` and j values of `b`. In orderings[j][u] of them, u pairs have
  // the value of `b` first. The loop below increases i.
  std::vector<std::vector<double>> orderings(m + 1, std::vector<double>(n * m + 1, 0));
  for (auto& row : orderings) row[0] = 1;
  for (std::size_t i = 1; i <= n; ++i)
    for (std::size_t j = 1; j <= m; ++j)
      for (std::size_t u = n * m + 1; u-- > 0;)
        // Either the largest value is from `a`, so that all j values of `b` precede it, or it is from `b`.
        orderings[j][u] = (u >= j ? orderings[j][u - j] : 0) + orderings[j - 1][u];
  double all = 0, below = 0;
  for (const double count : orderings[m]) all += count;
  std::size_t rank = 0;
  while (rank < n * m && below + orderings[m][rank] <= miss / 2 * all) below += orderings[m][rank++];
  return rank;
}

// Like exact_rank, but uses the normal approximation, for samples with many values.
std::size_t normal_rank(std::size_t n, std::size_t m, double miss) {
  // Bisects for the quantile of the normal distribution, in standard deviations. A value lies outside of plus
  // or minus the quantile with probability `miss`.
  double low = 0, high = 40;
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
  constexpr std::size_t most_exact = 30;  // up to this number of values in each sample, the rank is exact
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

}  // namespace sextant
