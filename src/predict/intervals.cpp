#include "predict/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sextant::predict {
namespace {

struct GroupScore {
  double score;
  std::size_t group;  // number of the case's group, from 0
};

// Weight of a case in a group of `size` cases, for `groups` groups and `cases` cases in total. All weights
// add up to 1.
double weight_of(std::size_t size, std::size_t groups, std::size_t cases) {
  return (1 / static_cast<double>(size * groups) + 1 / static_cast<double>(cases)) / 2;
}

// All scores in ascending order, with the positions of each group's scores.
struct Ranked {
  std::vector<GroupScore> scores;
  std::vector<std::vector<std::size_t>> places;  // by group: positions of its scores, ascending
  std::vector<double> shares;                    // prefix sums of 1 / (size of the score's group)

  std::size_t size_of(std::size_t group) const { return places[group].size(); }
};

Ranked ranked(std::vector<GroupScore> scores, std::size_t groups) {
  std::sort(scores.begin(), scores.end(),
            [](const GroupScore& a, const GroupScore& b) { return a.score < b.score; });
  Ranked all = {std::move(scores), std::vector<std::vector<std::size_t>>(groups), {}};
  for (std::size_t i = 0; i < all.scores.size(); ++i) all.places[all.scores[i].group].push_back(i);
  double sum = 0;
  for (const GroupScore& one : all.scores)
    all.shares.push_back(sum += 1 / static_cast<double>(all.size_of(one.group)));
  return all;
}

// The smallest score whose cumulative weight reaches `share`, without the group `left_out`.
double quantile_of(const Ranked& all, std::size_t left_out, double share) {
  static const std::vector<std::size_t> none;
  const std::vector<std::size_t>& out = left_out < all.places.size() ? all.places[left_out] : none;
  const auto groups = static_cast<double>(all.places.size() - (out.empty() ? 0 : 1)),
             cases = static_cast<double>(all.scores.size() - out.size());
  const auto left_up_to = [&](std::size_t place) {
    return static_cast<double>(std::upper_bound(out.begin(), out.end(), place) - out.begin());
  };
  const auto reached = [&](std::size_t place) {
    const double left = left_up_to(place),
                 of_group = out.empty() ? 0 : left / static_cast<double>(out.size());
    return ((all.shares[place] - of_group) / groups + (static_cast<double>(place + 1) - left) / cases) / 2;
  };
  // Binary search for the first position at which the cumulative weight reaches `share`.
  std::size_t first = 0, last = all.scores.size();
  while (first < last) {
    const std::size_t middle = (first + last) / 2;
    if (reached(middle) >= share - 1e-9)  // tolerance for rounded sums
      last = middle;
    else
      first = middle + 1;
  }
  first = std::min(first + 1, all.scores.size());
  while (first > 0 && all.scores[first - 1].group == left_out) --first;
  return first > 0 ? all.scores[first - 1].score : 0;
}

// Weighted fraction of scores that are at most the quantile computed from the other groups only.
double coverage_of(const Ranked& all, double share) {
  const std::size_t groups = all.places.size();
  if (groups < 2) return 0;
  double inside = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    const double quantile = quantile_of(all, group, share);
    for (const std::size_t place : all.places[group])
      if (all.scores[place].score <= quantile)
        inside += weight_of(all.size_of(group), groups, all.scores.size());
  }
  return inside;
}

// The least `share` whose quantiles cover at least the fraction `level` of held-out scores; 1 if none does.
double share_that_covers(const Ranked& all, double level) {
  double below = 0, above = 1;
  for (int halving = 0; halving < 12; ++halving) {
    const double middle = (below + above) / 2;
    (coverage_of(all, middle) >= level ? above : below) = middle;
  }
  return above;
}

double spread_of(const Ranked& all) {
  double sum = 0;
  for (const GroupScore& one : all.scores)
    sum += one.score * one.score / static_cast<double>(all.size_of(one.group));
  return all.places.empty() ? 0 : std::sqrt(sum / static_cast<double>(all.places.size()));
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
  std::vector<GroupScore> scores;
  for (const HeldOutCase& one : cases) {
    if (!std::isfinite(one.residual) || !std::isfinite(one.difficulty))
      throw std::invalid_argument("a calibration case is not finite");
    const std::size_t group = numbers.try_emplace(one.group, numbers.size()).first->second;
    scores.push_back({std::abs(one.residual) / std::max(one.difficulty, least_difficulty), group});
  }
  const Ranked all = ranked(std::move(scores), numbers.size());
  const std::size_t groups = numbers.size();
  const bool few = static_cast<double>(groups) < level / (1 - level) - 1e-9;
  const double share = share_that_covers(all, level);
  return {quantile_of(all, groups, share), groups, few, coverage_of(all, share), spread_of(all)};
}

}  // namespace sextant::predict
