#include "predict/scores.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace sextant::predict {
namespace {

// The p-quantile of the values.
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

// Root mean square of log(measured time / predicted time).
std::optional<double> error_of(const std::vector<const JudgedAnswer*>& judged, Option option) {
  std::vector<double> squares;
  for (const JudgedAnswer* one : judged) {
    const std::optional<Interval>& time = one->contest.at(option);
    const double said = one->answer.cost[static_cast<std::size_t>(option)];
    if (!one->answer.costs_are_times || !time || !std::isfinite(said)) continue;
    squares.push_back(std::pow(std::log(time->median) - said, 2));
  }
  return squares.empty() ? std::nullopt : std::optional(std::sqrt(mean(squares)));
}

FamilyScore family_score(const std::string& name, const std::vector<const JudgedAnswer*>& judged) {
  FamilyScore score = {name, 0, judged.size(), {}};
  std::vector<double> logs;
  for (const JudgedAnswer* one : judged) logs.push_back(std::log(one->contest.fraction(one->answer.choice)));
  score.fraction = std::exp(mean(logs));
  for (const Option option : all_options)
    score.error[static_cast<std::size_t>(option)] = error_of(judged, option);
  return score;
}

void add_families(const DataSet& data, const std::vector<JudgedAnswer>& judged, Score* score) {
  std::map<std::string, std::vector<const JudgedAnswer*>> families;
  for (const JudgedAnswer& one : judged) families[family_of(data, one.contest)].push_back(&one);
  std::vector<double> logs;
  for (const auto& [name, own] : families) {
    score->families.push_back(family_score(name, own));
    logs.push_back(std::log(score->families.back().fraction));
  }
  score->fraction = std::exp(mean(logs));
  std::stable_sort(score->families.begin(), score->families.end(),
                   [](const FamilyScore& a, const FamilyScore& b) { return a.fraction < b.fraction; });
}

// True if one of the three options of least cost is as fast as the best option.
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

// Coverage of the ratio intervals of all pairs of options. Skips pairs if the selector was given both times.
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

// The least value of the GPU options if `gpu` is true, and otherwise of the CPU options; infinite if there is
// none.
template <typename Value>
double least_of_device(bool gpu, const Value& value) {
  double least = Answer::none;
  for (const Option option : all_options)
    if (on_gpu(option) == gpu) least = std::min(least, value(option));
  return least;
}

// Name of the series of problems that differ only in size.
std::string series_of(const DataSet& data, const Contest& contest) {
  Case what = data.problems[contest.problem].what;
  what.problem.n = 0, what.problem.extents = {};
  std::string name = name_of_problem(what);
  if (const std::size_t size = name.find(" 0 1"); size != std::string::npos) name.erase(size, 4);
  return data.machines[contest.machine].name + ' ' + name;
}

// Half width of a 95 % interval of a normal distribution, in standard deviations.
constexpr double of_95_percent = 1.96;

// The best CPU or GPU time of a problem, in log time. `slow` and `fast`: distances to the ends of its 95 %
// interval by the samples. `slow_run` and `fast_run`: the same, including the variation between runs.
struct BestOfDevice {
  double time, slow, fast, slow_run, fast_run;
};

BestOfDevice best_of_device(const Contest& contest, bool gpu) {
  const auto at_end = [&](double Interval::*end, double runs) {
    return least_of_device(gpu, [&](Option option) {
      const std::optional<Interval>& time = contest.at(option);
      if (!time) return Answer::none;
      const double apart = std::log((*time).*end / time->median),
                   of_runs = of_95_percent * runs * between_runs[static_cast<std::size_t>(option)];
      return std::log(time->median) + (end == &Interval::low ? -1 : 1) * std::hypot(apart, of_runs);
    });
  };
  const double time = at_end(&Interval::median, 0);
  return {time, at_end(&Interval::high, 0) - time, time - at_end(&Interval::low, 0),
          at_end(&Interval::high, 1) - time, time - at_end(&Interval::low, 1)};
}

// One size of a series. `measured`: log time of the best CPU option minus that of the best GPU option. `low`
// and `high`: its range by the samples' intervals. `low_of_runs` and `high_of_runs`: its 95 % interval in
// another run.
struct AtSize {
  double log_size, measured, low, high, low_of_runs, high_of_runs, predicted;
  double cpu_off, gpu_off;  // log(measured time / predicted time) of the best CPU and the best GPU option
};

AtSize at_size(const Contest& contest, const Answer& answer, double size) {
  const BestOfDevice cpu = best_of_device(contest, false), gpu = best_of_device(contest, true);
  const double measured = cpu.time - gpu.time;
  const auto said = [&](Option option) { return answer.cost[static_cast<std::size_t>(option)]; };
  const double cpu_said = least_of_device(false, said), gpu_said = least_of_device(true, said);
  return {std::log(size),
          measured,
          measured - cpu.fast - gpu.slow,
          measured + cpu.slow + gpu.fast,
          measured - std::hypot(cpu.fast_run, gpu.slow_run),
          measured + std::hypot(cpu.slow_run, gpu.fast_run),
          cpu_said - gpu_said,
          cpu.time - cpu_said,
          gpu.time - gpu_said};
}

// Log sizes at which the member `line` changes its sign, by linear interpolation.
std::vector<double> changes_of(const std::vector<AtSize>& sizes, double AtSize::*line) {
  std::vector<std::pair<double, double>> points;
  for (const AtSize& one : sizes) points.emplace_back(one.log_size, one.*line);
  return sign_changes(points);
}

// The log size nearest to `log_size`; infinite if there is none.
double nearest_of(const std::vector<double>& log_sizes, double log_size) {
  double nearest = Answer::none;
  for (const double one : log_sizes)
    if (std::abs(one - log_size) < std::abs(nearest - log_size)) nearest = one;
  return nearest;
}

// Factor (at least 1) between a size and the nearest one of `log_sizes`. All arguments are logarithms.
double nearest(const std::vector<double>& log_sizes, double log_size) {
  return std::exp(std::abs(nearest_of(log_sizes, log_size) - log_size));
}

// Value of the member `line` at a log size, by linear interpolation; constant beyond the ends.
double on_line(const std::vector<AtSize>& sizes, double AtSize::*line, double log_size) {
  const auto after = std::find_if(sizes.begin() + 1, sizes.end() - 1,
                                  [&](const AtSize& one) { return one.log_size >= log_size; });
  const AtSize &low = *std::prev(after), &high = *after;
  const double share = std::clamp((log_size - low.log_size) / (high.log_size - low.log_size), 0.0, 1.0);
  return low.*line + share * (high.*line - low.*line);
}

void add_series(const std::string& name, std::vector<AtSize> sizes, Crossovers* all) {
  std::sort(sizes.begin(), sizes.end(),
            [](const AtSize& a, const AtSize& b) { return a.log_size < b.log_size; });
  const std::vector<double> said = changes_of(sizes, &AtSize::predicted);
  const auto known = [&](double place, double AtSize::*low, double AtSize::*high) {
    return nearest(changes_of(sizes, high), place) <= near_factor &&
           nearest(changes_of(sizes, low), place) <= near_factor;
  };
  for (const double place : changes_of(sizes, &AtSize::measured)) {
    if (!known(place, &AtSize::low, &AtSize::high)) {
      ++all->undetermined;
      continue;
    }
    const auto after = std::find_if(sizes.begin() + 1, sizes.end() - 1,
                                    [&](const AtSize& one) { return one.log_size >= place; });
    const double low = std::prev(after)->log_size, high = after->log_size;
    const double step = std::log(near_factor);
    all->found.push_back(
        {name, std::exp(place), nearest(said, place),
         std::any_of(said.begin(), said.end(), [&](double one) { return one >= low && one <= high; }),
         known(place, &AtSize::low_of_runs, &AtSize::high_of_runs),
         std::min(std::abs(on_line(sizes, &AtSize::measured, place - step)),
                  std::abs(on_line(sizes, &AtSize::measured, place + step))),
         std::exp(nearest_of(said, place)), on_line(sizes, &AtSize::cpu_off, place),
         on_line(sizes, &AtSize::gpu_off, place)});
  }
}

void add_crossovers(const DataSet& data, const std::vector<JudgedAnswer>& judged, Score* score) {
  const Crossovers all = crossovers_of(data, judged);
  std::vector<double> factors, near, bracketed, near_in_run;
  for (const JudgedCrossover& one : all.found) {
    near_in_run.push_back(one.factor <= near_factor ? 1 : 0);
    if (!one.lasts) continue;
    factors.push_back(one.factor);
    near.push_back(near_in_run.back());
    bracketed.push_back(one.bracketed ? 1 : 0);
  }
  score->crossovers = near.size();
  score->crossovers_in_run = near_in_run.size();
  if (const std::size_t measured = near_in_run.size() + all.undetermined; measured > 0)
    score->crossovers_undetermined =
        static_cast<double>(measured - near.size()) / static_cast<double>(measured);
  if (!near_in_run.empty()) score->crossovers_near_in_run = mean(near_in_run);
  if (near.empty()) return;
  score->crossovers_near = mean(near);
  score->crossovers_bracketed = mean(bracketed);
  score->crossover_factor = quantile(factors, 0.5);
}

}  // namespace

Crossovers crossovers_of(const DataSet& data, const std::vector<JudgedAnswer>& judged) {
  std::map<std::string, std::vector<AtSize>> series;
  for (const auto& [contest, answer] : judged) {
    const std::int64_t n = data.problems[contest.problem].what.problem.n;
    if (!answer.costs_are_times || n <= 0) continue;
    const AtSize one = at_size(contest, answer, static_cast<double>(n));
    if (std::isfinite(one.measured) && std::isfinite(one.predicted))
      series[series_of(data, contest)].push_back(one);
  }
  Crossovers all;
  for (const auto& [name, sizes] : series) add_series(name, sizes, &all);
  return all;
}

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
