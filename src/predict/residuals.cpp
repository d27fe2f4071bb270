#include "predict/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "tuner/random.hpp"

namespace sextant::predict {
namespace {

constexpr int draws_of_errors = 64;

using Group = std::pair<std::string, std::size_t>;  // family of kernels, index of the machine

Group group_of(const DataSet& data, const Contest& contest) {
  return {data.problems[contest.problem].known.family, contest.machine};
}

// Weight of each problem: equal for each family on each machine; all weights add up to 1.
std::vector<double> weights_of(const DataSet& data, const std::vector<JudgedAnswer>& judged) {
  std::map<Group, std::size_t> sizes;
  for (const JudgedAnswer& one : judged) ++sizes[group_of(data, one.contest)];
  std::vector<double> weights;
  for (const JudgedAnswer& one : judged)
    weights.push_back(1 / static_cast<double>(sizes[group_of(data, one.contest)] * sizes.size()));
  return weights;
}

double normal(tuner::Random* random) {
  const double radius = std::sqrt(-2 * std::log(1 - random->uniform()));
  return radius * std::cos(2 * std::numbers::pi * random->uniform());
}

// The option that looks fastest if each time has a random error in log time.
Option choice_by_errors(const Contest& contest, const std::array<double, option_count>& deviations,
                        tuner::Random* random) {
  Answer::Values times = Answer().cost;
  for (std::size_t i = 0; i < option_count; ++i) {
    const double error = deviations[i] * normal(random);
    if (contest.times[i]) times[i] = std::log(contest.times[i]->median) + error;
  }
  return least_of(times).choice;
}

double root_of_mean_square(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

double average(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

OptionErrors errors_of(Option option, const std::vector<double>& errors, std::vector<double> half_widths) {
  OptionErrors of = {option, errors.size(), average(errors), root_of_mean_square(errors), {}, {}, {}};
  if (half_widths.size() != errors.size()) return of;
  std::vector<double> within, above;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    within.push_back(std::abs(errors[i]) <= half_widths[i] ? 1 : 0);
    above.push_back(errors[i] > half_widths[i] ? 1 : 0);
  }
  of.coverage = average(within), of.above = average(above);
  std::sort(half_widths.begin(), half_widths.end());
  of.width = std::exp(2 * half_widths[half_widths.size() / 2]);
  return of;
}

}  // namespace

std::vector<ProblemLoss> losses_of(const DataSet& data, const std::vector<JudgedAnswer>& judged) {
  const std::vector<double> weights = weights_of(data, judged);
  std::vector<ProblemLoss> losses;
  double all = 0;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const double lost = -weights[i] * std::log(judged[i].contest.fraction(judged[i].answer.choice));
    if (!(lost > 0)) continue;
    losses.push_back({&judged[i], lost});
    all += lost;
  }
  for (ProblemLoss& one : losses) one.share /= all;
  std::stable_sort(losses.begin(), losses.end(),
                   [](const ProblemLoss& a, const ProblemLoss& b) { return a.share > b.share; });
  return losses;
}

std::vector<MistakenChoice> mistaken_choices(const std::vector<ProblemLoss>& losses) {
  std::map<std::pair<Option, Option>, MistakenChoice> choices;
  for (const ProblemLoss& loss : losses) {
    const Option chosen = loss.judged->answer.choice, best = loss.judged->contest.best();
    MistakenChoice& one = choices[{chosen, best}];
    one.chosen = chosen, one.best = best;
    one.problems += 1, one.share += loss.share;
  }
  std::vector<MistakenChoice> sorted;
  for (const auto& [options, one] : choices) sorted.push_back(one);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const MistakenChoice& a, const MistakenChoice& b) { return a.share > b.share; });
  return sorted;
}

double fraction_with_errors(const DataSet& data, const std::vector<JudgedAnswer>& judged,
                            const std::array<double, option_count>& deviations) {
  const std::vector<double> weights = weights_of(data, judged);
  tuner::Random random(1);
  double sum = 0;
  for (std::size_t i = 0; i < judged.size(); ++i)
    for (int draw = 0; draw < draws_of_errors; ++draw) {
      const Contest& contest = judged[i].contest;
      sum += weights[i] * std::log(contest.fraction(choice_by_errors(contest, deviations, &random)));
    }
  return std::exp(sum / draws_of_errors);
}

std::vector<OptionErrors> errors_by_option(const std::vector<JudgedAnswer>& judged) {
  std::vector<OptionErrors> all;
  for (const Option option : all_options) {
    const auto i = static_cast<std::size_t>(option);
    std::vector<double> errors, half_widths;
    for (const auto& [contest, answer] : judged) {
      const std::optional<Interval>& time = contest.at(option);
      if (!answer.costs_are_times || !time || answer.told[i] || !std::isfinite(answer.cost[i])) continue;
      errors.push_back(std::log(time->median) - answer.cost[i]);
      if (answer.half_width) half_widths.push_back((*answer.half_width)[i]);
    }
    if (!errors.empty()) all.push_back(errors_of(option, errors, std::move(half_widths)));
  }
  return all;
}

}  // namespace sextant::predict
