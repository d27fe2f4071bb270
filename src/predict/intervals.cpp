#include "predict/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

namespace sextant::predict {
namespace {

struct GroupScore {
  double score;
  std::size_t group;  // from 0
};

// Of sorted scores without those of group `left_out`, the least at which the share of scores up to it, averaged over the
// groups, reaches `share`; `sizes` of the groups.
double quantile_of(const std::vector<GroupScore>& scores, const std::vector<std::size_t>& sizes,
                   std::size_t left_out, double share) {
  const std::size_t groups = sizes.size() - (left_out < sizes.size() ? 1 : 0);
  const double wanted = share * static_cast<double>(groups) - 1e-9;  // sums of shares are rounded
  double reached = 0, largest = 0;
  for (const GroupScore& one : scores) {
    if (one.group == left_out) continue;
    largest = one.score;
    reached += 1 / static_cast<double>(sizes[one.group]);
    if (reached >= wanted) break;
  }
  return largest;
}

// Share of the scores of a group that the quantile of the others holds, averaged over the groups.
double coverage_of(const std::vector<GroupScore>& scores, const std::vector<std::size_t>& sizes,
                   double share) {
  if (sizes.size() < 2) return 0;
  std::vector<double> quantiles;
  for (std::size_t group = 0; group < sizes.size(); ++group)
    quantiles.push_back(quantile_of(scores, sizes, group, share));
  std::vector<std::size_t> inside(sizes.size(), 0);
  for (const GroupScore& one : scores) inside[one.group] += one.score <= quantiles[one.group] ? 1u : 0u;
  double sum = 0;
  for (std::size_t group = 0; group < sizes.size(); ++group)
    sum += static_cast<double>(inside[group]) / static_cast<double>(sizes[group]);
  return sum / static_cast<double>(sizes.size());
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
