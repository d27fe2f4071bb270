#include "predict/contests.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>

namespace sextant::predict {
namespace {

// A failed option counts as ten times slower than the best, as the PAR10 score does in algorithm selection.
constexpr double failed_fraction = 0.1;

// The time of a row for `target` (call time or end-to-end time). Null if the row has no such time or does not
// take part in ranking.
const Interval* time_of(const DataRow& row, Target target) {
  const Interval& time = target == Target::call ? row.call : row.whole;
  return row.option && row.status == Status::ok && time.samples > 0 ? &time : nullptr;
}

// The least time of each variant of one option at one problem.
using VariantTimes = std::map<std::string, double>;

VariantTimes variant_times(const DataSet& data, Target target, const Contest& contest, Option option) {
  VariantTimes times;
  for (const std::size_t row : contest.rows) {
    const DataRow& one = data.rows[row];
    const Interval* time = time_of(one, target);
    if (!time || one.option != option) continue;
    double& least = times.try_emplace(one.what.variant, time->median).first->second;
    least = std::min(least, time->median);
  }
  return times;
}

double least_of(const VariantTimes& times) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [variant, time] : times) least = std::min(least, time);
  return least;
}

// Log of the slowdown at problem `there` if only the variants measured at problem `here` were available.
// Nothing if the best variant of `here` was not measured at `there`.
std::optional<double> slower(const VariantTimes& here, const VariantTimes& there) {
  double least = std::numeric_limits<double>::infinity();
  bool has_best = false;
  for (const auto& [variant, time] : here) {
    const auto found = there.find(variant);
    if (found == there.end()) continue;
    least = std::min(least, found->second);
    has_best = has_best || time == least_of(here);
  }
  if (!has_best) return std::nullopt;
  return std::log(least / least_of(there));
}

// The median of the values and an estimate of their standard deviation: half the range of the middle two
// thirds.
std::pair<double, double> middle_and_spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t count = values.size();
  return {values[count / 2], (values[(count * 5) / 6] - values[count / 6]) / 2};
}

// Divides a time by exp(log_factor) and widens its interval by the standard deviation `spread` of its log.
Interval shorter(const Interval& time, double log_factor, double spread) {
  const double factor = std::exp(-log_factor), wider = std::exp(1.96 * spread);
  return {time.low * factor / wider, time.median * factor, time.high * factor * wider, time.minimum * factor,
          time.samples};
}

}  // namespace

bool is_contest(const Contest& contest, const Profile& profile) {
  for (const Option option : {Option::serial, Option::openmp, Option::openacc, Option::cuda})
    if ((profile.gpu || !on_gpu(option)) && !contest.at(option)) return false;
  return true;
}

Option Contest::best() const {
  Option best = Option::serial;
  for (const Option option : all_options)
    if (at(option) && (!at(best) || at(option)->median < at(best)->median)) best = option;
  return best;
}

double Contest::fraction(Option option) const {
  const auto& time = at(option);
  if (!time) return failed_fraction;
  const Interval& least = *at(best());
  return time->low <= least.high ? 1 : least.median / time->median;
}

std::vector<Contest> measured_problems(const DataSet& data, Target target) {
  std::map<std::pair<std::size_t, std::size_t>, Contest> found;
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    const DataRow& row = data.rows[i];
    const Interval* time = time_of(row, target);
    if (!time) continue;
    Contest& contest = found[{row.machine, row.problem}];
    contest.machine = row.machine, contest.problem = row.problem;
    contest.rows.push_back(i);
    std::optional<Interval>& best = contest.times[static_cast<std::size_t>(*row.option)];
    if (!best || time->median < best->median) best = *time;
  }
  std::vector<Contest> problems;
  for (auto& [place, contest] : found) problems.push_back(std::move(contest));
  return problems;
}

std::vector<Contest> contests_among(const DataSet& data, const std::vector<Contest>& problems) {
  std::vector<Contest> contests;
  for (const Contest& contest : problems)
    if (is_contest(contest, data.machines[contest.machine].profile)) contests.push_back(contest);
  return contests;
}

ProblemsByTarget measured_problems(const DataSet& data) {
  return {measured_problems(data, Target::call), measured_problems(data, Target::whole)};
}

ProblemsByTarget of_families_with_a_choice(const DataSet& data, const ProblemsByTarget& problems) {
  using Places = std::array<bool, 2>;  // whether a family was measured on the CPU, and on the GPU
  std::map<std::string, Places> families;
  Places all = {};
  for (const std::vector<Contest>& of_target : problems)
    for (const Contest& contest : of_target)
      for (const Option option : all_options)
        if (contest.at(option))
          all[on_gpu(option)] = families[data.problems[contest.problem].known.family][on_gpu(option)] = true;
  ProblemsByTarget some;
  for (std::size_t target = 0; target < target_count; ++target)
    for (const Contest& contest : problems[target])
      if (families[data.problems[contest.problem].known.family] == all) some[target].push_back(contest);
  return some;
}

std::vector<Contest> by_the_best_variants(const DataSet& data, Target target,
                                          const std::vector<Contest>& problems) {
  std::map<std::tuple<std::size_t, std::string, ElementType>, std::vector<std::size_t>> series;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const Case& what = data.problems[problems[i].problem].what;
    series[{problems[i].machine, what.kernel, what.problem.type}].push_back(i);
  }
  std::vector<Contest> best = problems;
  for (const auto& [kernel, own] : series)
    for (const Option option : all_options) {
      std::vector<std::pair<std::size_t, VariantTimes>> times;
      for (const std::size_t i : own)
        if (problems[i].at(option)) times.emplace_back(i, variant_times(data, target, problems[i], option));
      for (const auto& [i, here] : times) {
        std::vector<double> factors;
        for (const auto& [other, there] : times)
          if (other != i && there.size() > 1)
            if (const std::optional<double> factor = slower(here, there)) factors.push_back(*factor);
        if (factors.empty()) continue;
        const auto [middle, spread] = middle_and_spread(factors);
        std::optional<Interval>& time = best[i].times[static_cast<std::size_t>(option)];
        if (middle > 0) time = shorter(*time, middle, spread);
      }
    }
  return best;
}

ProblemsByTarget by_the_best_variants(const DataSet& data, const ProblemsByTarget& problems) {
  ProblemsByTarget best;
  for (const Target target : all_targets) {
    const auto i = static_cast<std::size_t>(target);
    best[i] = by_the_best_variants(data, target, problems[i]);
  }
  return best;
}

std::vector<double> sign_changes(const std::vector<std::pair<double, double>>& differences) {
  std::vector<double> found;
  for (std::size_t i = 1; i < differences.size(); ++i) {
    const auto& [x, a] = differences[i - 1];
    const auto& [y, b] = differences[i];
    if ((a > 0) != (b > 0)) found.push_back(x + (y - x) * (a / (a - b)));
  }
  return found;
}

}  // namespace sextant::predict
