#include "predict/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

namespace sextant::predict {
namespace {

struct GroupScore {
  double score;
  std::size_t group;  // from 0
};

// What a case of a group of `size` weighs, of `groups` groups and `cases` cases: all weights sum up to 1.
double weight_of(std::size_t size, std::size_t groups, std::size_t cases) {
  return (1 / static_cast<double>(size * groups) + 1 / static_cast<double>(cases)) / 2;
}

// Of sorted scores without those of group `left_out`, the least at which the weights of scores up to it reach `share`;
// `sizes` of the groups.
double quantile_of(const std::vector<GroupScore>& scores, const std::vector<std::size_t>& sizes,
                   std::size_t left_out, double share) {
  const bool leaves = left_out < sizes.size();
  const std::size_t groups = sizes.size() - (leaves ? 1 : 0),
                    cases = scores.size() - (leaves ? sizes[left_out] : 0);
  double reached = 0, largest = 0;
  for (const GroupScore& one : scores) {
    if (one.group == left_out) continue;
    largest = one.score;
    reached += weight_of(sizes[one.group], groups, cases);
    if (reached >= share - 1e-9) break;  // sums of shares are rounded
  }
  return largest;
}

// Share of the scores of a group that the quantile of the others holds, in the mean over all groups.
double coverage_of(const std::vector<GroupScore>& scores, const std::vector<std::size_t>& sizes,
                   double share) {
  if (sizes.size() < 2) return 0;
  std::vector<double> quantiles;
  for (std::size_t group = 0; group < sizes.size(); ++group)
    quantiles.push_back(quantile_of(scores, sizes, group, share));
  double inside = 0;
  for (const GroupScore& one : scores)
    if (one.score <= quantiles[one.group]) inside += weight_of(sizes[one.group], sizes.size(), scores.size());
  return inside;
}

// The least share at which groups held out are covered by `level`; 1 where none does it.
double share_that_covers(const std::vector<GroupScore>& scores, const std::vector<std::size_t>& sizes,
                         double level) {
  double below = 0, above = 1;
  for (int halving = 0; halving < 12; ++halving) {
    const double middle = (below + above) / 2;
    (coverage_of(scores, sizes, middle) >= level ? above : below) = middle;
  }
  return above;
}

double spread_of(const std::vector<GroupScore>& scores, const std::vector<std::size_t>& sizes) {
  double sum = 0;
  for (const GroupScore& one : scores) sum += one.score * one.score / static_cast<double>(sizes[one.group]);
  return sizes.empty() ? 0 : std::sqrt(sum / static_cast<double>(sizes.size()));
}

}  // namespace

double Calibration::half_width(double difficulty) const {
  return quantile * std::max(difficulty, least_difficulty);
}

double Calibration::deviation(double difficulty) const {
  return spread * std::max(difficulty, least_difficulty);
}

double left_of(double open, double scatter) { return std::sqrt((open + scatter) / (1 + scatter)); }

double scatter_of(std::span<const HeldOutCase> cases) {
  double best = 0, least = std::numeric_limits<double>::infinity();
  for (double scatter = 0.01; scatter < 110; scatter *= std::sqrt(10.0)) {
    double logs = 0, scores = 0;
    for (const HeldOutCase& one : cases) {
      const double left = left_of(one.difficulty, scatter);
      logs += std::log(left), scores += std::abs(one.residual) / left;
    }
    const auto count = static_cast<double>(cases.size());
    if (const double unlikely = logs / count + std::log(scores / count); unlikely < least)
      best = scatter, least = unlikely;
  }
  return best;
}

Calibration calibrate(std::span<const HeldOutCase> cases, double level) {
  std::map<std::size_t, std::size_t> numbers;
  std::vector<std::size_t> sizes;
  std::vector<GroupScore> scores;
  for (const HeldOutCase& one : cases) {
    if (!std::isfinite(one.residual) || !std::isfinite(one.difficulty))
      throw std::invalid_argument("a case to calibrate by is not finite");
    const std::size_t group = numbers.try_emplace(one.group, numbers.size()).first->second;
    if (group == sizes.size()) sizes.push_back(0);
    ++sizes[group];
    scores.push_back({std::abs(one.residual) / std::max(one.difficulty, least_difficulty), group});
  }
  std::sort(scores.begin(), scores.end(),
            [](const GroupScore& a, const GroupScore& b) { return a.score < b.score; });
  const bool few = static_cast<double>(sizes.size()) < level / (1 - level) - 1e-9;
  const double share = share_that_covers(scores, sizes, level);
  return {quantile_of(scores, sizes, sizes.size(), share), sizes.size(), few,
          coverage_of(scores, sizes, share), spread_of(scores, sizes)};
}

}  // namespace sextant::predict
