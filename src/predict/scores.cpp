#include "predict/scores.hpp"

#include <algorithm>
#include <cmath>
#include <map>
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
    families[family_of(data, *one.contest)].push_back(std::log(one.contest->fraction(one.answer.choice)));
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
    if (one.contest->fraction(order[i].second) == 1) return true;
  return false;
}

void add_regrets(const std::vector<JudgedAnswer>& judged, Score* score) {
  std::vector<double> fractions, sure;
  const auto count = static_cast<double>(judged.size());
  for (const JudgedAnswer& one : judged) {
    const double fraction = one.contest->fraction(one.answer.choice);
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

void add_intervals(const std::vector<JudgedAnswer>& judged, Score* score) {
  std::vector<double> inside, widths;
  for (const auto& [contest, answer] : judged)
    for (const Option option : all_options) {
      const auto i = static_cast<std::size_t>(option);
      if (!answer.half_width || !contest->at(option) || !std::isfinite(answer.cost[i])) continue;
      const double half = (*answer.half_width)[i];
      const double off = std::abs(std::log(contest->at(option)->median) - answer.cost[i]);
      inside.push_back(off <= half ? 1 : 0);
      widths.push_back(std::exp(2 * half));
    }
  if (inside.empty()) return;
  score->coverage = mean(inside);
  score->width = quantile(widths, 0.5);
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

using Curve = std::vector<std::pair<double, double>>;

// For each crossover that was measured, by which factor the nearest one that was predicted is off.
std::vector<double> factors(Curve measured, Curve predicted) {
  std::sort(measured.begin(), measured.end());
  std::sort(predicted.begin(), predicted.end());
  const std::vector<double> found = sign_changes(predicted);
  std::vector<double> result;
  for (const double place : sign_changes(measured)) {
    double off = Answer::none;
    for (const double one : found) off = std::min(off, std::abs(one - place));
    result.push_back(std::exp(off));
  }
  return result;
}

void add_crossovers(const DataSet& data, const std::vector<JudgedAnswer>& judged, Score* score) {
  std::map<std::string, std::pair<Curve, Curve>> series;
  for (const JudgedAnswer& one : judged) {
    const Contest* contest = one.contest;
    const Answer& answer = one.answer;
    const DataProblem& problem = data.problems[contest->problem];
    if (!answer.costs_are_times || problem.what.problem.n <= 0) continue;
    const double size = std::log(static_cast<double>(problem.what.problem.n));
    const double measured = advantage([&](Option option) {
      return contest->at(option) ? std::log(contest->at(option)->median) : Answer::none;
    });
    const double predicted =
        advantage([&](Option option) { return answer.cost[static_cast<std::size_t>(option)]; });
    if (!std::isfinite(measured) || !std::isfinite(predicted)) continue;
    auto& [is, said] = series[series_of(data, *contest)];
    is.emplace_back(size, measured);
    said.emplace_back(size, predicted);
  }
  std::vector<double> all;
  for (const auto& [name, curves] : series)
    for (const double factor : factors(curves.first, curves.second)) all.push_back(factor);
  score->crossovers = all.size();
  if (all.empty()) return;
  const auto near =
      std::count_if(all.begin(), all.end(), [](double factor) { return factor <= near_factor; });
  score->crossovers_near = static_cast<double>(near) / static_cast<double>(all.size());
  score->crossover_factor = quantile(all, 0.5);
}

}  // namespace

Score score_of(const std::string& selector, const DataSet& data, const std::vector<JudgedAnswer>& judged) {
  Score score;
  score.selector = selector;
  score.contests = judged.size();
  if (judged.empty()) return score;
  add_families(data, judged, &score);
  add_regrets(judged, &score);
  add_intervals(judged, &score);
  add_crossovers(data, judged, &score);
  return score;
}

}  // namespace sextant::predict
