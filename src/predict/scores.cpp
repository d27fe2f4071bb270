#include "predict/scores.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace sextant::predict {
namespace {

constexpr double near_factor = 2;  // a crossover that is found within it counts as found

// The value below which a share `p` of them lies.
double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const auto place = static_cast<std::size_t>(p * static_cast<double>(values.size()));
  return values[std::min(place, values.size() - 1)];
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::string family_of(const DataSet& data, const Contest& contest) {
  const std::string on = data.machines.size() > 1 ? " on " + data.machines[contest.machine].name : "";
  return data.problems[contest.problem].known.family + on;
}

void add_families(const DataSet& data, const std::vector<JudgedAnswer>& judged, Score* score) {
  std::map<std::string, std::vector<double>> families;
  for (const JudgedAnswer& one : judged)
    families[family_of(data, one.contest)].push_back(std::log(one.contest.fraction(one.answer.choice)));
  std::vector<double> means;
  for (const auto& [name, logs] : families) {
    means.push_back(mean(logs));
    if (score->worst_name.empty() || std::exp(means.back()) < score->worst_family)
      score->worst_family = std::exp(means.back()), score->worst_name = name;
  }
  score->fraction = std::exp(mean(means));
}

// Whether one of the three of least cost is as good as the best.
bool among_three(const JudgedAnswer& one) {
  std::vector<std::pair<double, Option>> order;
  for (const Option option : all_options)
    if (const double cost = one.answer.cost[static_cast<std::size_t>(option)]; std::isfinite(cost))
      order.emplace_back(cost, option);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < std::min<std::size_t>(3, order.size()); ++i)
    if (one.contest.fraction(order[i].second) == 1) return true;
  return false;
}

void add_regrets(const std::vector<JudgedAnswer>& judged, Score* score) {
  std::vector<double> fractions, sure;
  const auto count = static_cast<double>(judged.size());
  for (const JudgedAnswer& one : judged) {
    const double fraction = one.contest.fraction(one.answer.choice);
    fractions.push_back(fraction);
    score->top_one += fraction == 1 ? 1 / count : 0;
    score->top_three += fraction == 1 || among_three(one) ? 1 / count : 0;
    score->abstained += one.answer.abstains ? 1 / count : 0;
    if (!one.answer.abstains) sure.push_back(std::log(fraction));
  }
  score->fifth_percentile = quantile(fractions, 0.05);
  score->median_regret = 1 / quantile(fractions, 0.5);
  score->ninety_regret = 1 / quantile(fractions, 0.1);
  score->worst_regret = 1 / quantile(fractions, 0);
  if (!sure.empty() && sure.size() < judged.size()) score->fraction_when_sure = std::exp(mean(sure));
}

void add_intervals(const DataSet& data, const std::vector<JudgedAnswer>& judged, Score* score) {
  std::map<std::string, std::vector<double>> families;
  std::vector<double> inside, widths;
  for (const auto& [contest, answer] : judged)
    for (const Option option : all_options) {
      const auto i = static_cast<std::size_t>(option);
      if (!answer.half_width || !contest.at(option) || !std::isfinite(answer.cost[i]) || answer.told[i])
        continue;
      const double half = (*answer.half_width)[i];
      const double off = std::abs(std::log(contest.at(option)->median) - answer.cost[i]);
      inside.push_back(off <= half ? 1 : 0);
      families[family_of(data, contest)].push_back(inside.back());
      widths.push_back(std::exp(2 * half));
    }
  if (inside.empty()) return;
  std::vector<double> of_families;
  for (const auto& [name, own] : families) of_families.push_back(mean(own));
  score->coverage = mean(inside);
  score->family_coverage = mean(of_families);
  score->width = quantile(widths, 0.5);
}

// Of each two options of a contest, but for two that were told.
void add_ratios(const std::vector<JudgedAnswer>& judged, Score* score) {
  std::vector<double> inside;
  for (const auto& [contest, answer] : judged)
    for (std::size_t i = 0; i < option_count; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const std::optional<Interval>&a = contest.times[i], &b = contest.times[j];
        if (!answer.ratio_half_width || !a || !b || !std::isfinite(answer.cost[i] - answer.cost[j]) ||
            (answer.told[i] && answer.told[j]))
          continue;
        const double off = std::log(a->median / b->median) - (answer.cost[i] - answer.cost[j]);
        inside.push_back(std::abs(off) <= (*answer.ratio_half_width)[i][j] ? 1 : 0);
      }
  if (!inside.empty()) score->ratio_coverage = mean(inside);
}

// Log time of the CPU's best less the GPU's; NaN where one has none.
template <typename Value>
double advantage(const Value& value) {
  double cpu = Answer::none, gpu = Answer::none;
  for (const Option option : all_options)
    (on_gpu(option) ? gpu : cpu) = std::min(on_gpu(option) ? gpu : cpu, value(option));
  return cpu - gpu;
}

// Contests that differ in nothing but their size.
std::string series_of(const DataSet& data, const Contest& contest) {
  Case what = data.problems[contest.problem].what;
  what.problem.n = 0, what.problem.extents = {};
  return std::to_string(contest.machine) + ' ' + name_of_problem(what);
}

// Contests of a series at a size: log times of the CPU's best less the GPU's.
struct AtSize {
  double log_size, measured, predicted;
  bool sure;  // what was measured is no tie
};

// Whether the intervals of the CPU's and of the GPU's best do not meet.
bool is_sure(const Contest& contest) {
  std::optional<Interval> best[2];
  for (const Option option : all_options) {
    std::optional<Interval>& own = best[on_gpu(option)];
    if (contest.at(option) && (!own || contest.at(option)->median < own->median)) own = contest.at(option);
  }
  return best[0] && best[1] && (best[0]->high < best[1]->low || best[1]->high < best[0]->low);
}

struct CrossoverFound {
  double factor;   // by which the nearest one that was predicted is off
  bool bracketed;  // one was predicted between the same two sizes
};

// Whether the sizes from `from` on, in steps of `step`, are sure before their sign changes.
bool sure_on_this_side(const std::vector<AtSize>& sizes, std::size_t from, std::ptrdiff_t step) {
  const bool sign = sizes[from].measured > 0;
  for (auto i = static_cast<std::ptrdiff_t>(from);
       i >= 0 && i < std::ssize(sizes) && (sizes[static_cast<std::size_t>(i)].measured > 0) == sign;
       i += step)
    if (sizes[static_cast<std::size_t>(i)].sure) return true;
  return false;
}

std::vector<CrossoverFound> crossovers_of(std::vector<AtSize> sizes) {
  std::sort(sizes.begin(), sizes.end(),
            [](const AtSize& a, const AtSize& b) { return a.log_size < b.log_size; });
  std::vector<std::pair<double, double>> predicted;
  for (const AtSize& one : sizes) predicted.emplace_back(one.log_size, one.predicted);
  const std::vector<double> found = sign_changes(predicted);
  std::vector<CrossoverFound> result;
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    const AtSize &before = sizes[i - 1], &after = sizes[i];
    const std::vector<double> place =
        sign_changes({{before.log_size, before.measured}, {after.log_size, after.measured}});
    if (place.empty() || !sure_on_this_side(sizes, i - 1, -1) || !sure_on_this_side(sizes, i, 1)) continue;
    CrossoverFound one = {Answer::none, false};
    for (const double said : found) {
      one.factor = std::min(one.factor, std::exp(std::abs(said - place.front())));
      one.bracketed = one.bracketed || (said >= before.log_size && said <= after.log_size);
    }
    result.push_back(one);
  }
  return result;
}

void add_crossovers(const DataSet& data, const std::vector<JudgedAnswer>& judged, Score* score) {
  std::map<std::string, std::vector<AtSize>> series;
  for (const auto& [contest, answer] : judged) {
    const std::int64_t n = data.problems[contest.problem].what.problem.n;
    if (!answer.costs_are_times || n <= 0) continue;
    const double measured = advantage([&contest = contest](Option option) {
      return contest.at(option) ? std::log(contest.at(option)->median) : Answer::none;
    });
    const double predicted = advantage(
        [&answer = answer](Option option) { return answer.cost[static_cast<std::size_t>(option)]; });
    if (std::isfinite(measured) && std::isfinite(predicted))
      series[series_of(data, contest)].push_back(
          {std::log(static_cast<double>(n)), measured, predicted, is_sure(contest)});
  }
  std::vector<double> factors, near, bracketed;
  for (const auto& [name, sizes] : series)
    for (const CrossoverFound& one : crossovers_of(sizes)) {
      factors.push_back(one.factor);
      near.push_back(one.factor <= near_factor ? 1 : 0);
      bracketed.push_back(one.bracketed ? 1 : 0);
    }
  score->crossovers = factors.size();
  if (factors.empty()) return;
  score->crossovers_near = mean(near);
  score->crossovers_bracketed = mean(bracketed);
  score->crossover_factor = quantile(factors, 0.5);
}

}  // namespace

Score score_of(const std::string& selector, const DataSet& data, const std::vector<JudgedAnswer>& judged) {
  Score score;
  score.selector = selector;
  score.contests = judged.size();
  if (judged.empty()) return score;
  add_families(data, judged, &score);
  add_regrets(judged, &score);
  add_intervals(data, judged, &score);
  add_ratios(judged, &score);
  add_crossovers(data, judged, &score);
  return score;
}

}  // namespace sextant::predict
