#include "predict/contests.hpp"

#include <map>

namespace sextant::predict {
namespace {

constexpr double failed_fraction = 0.1;  // as ten times the best: what algorithm selection's PAR10 counts

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
    const Interval& time = target == Target::call ? row.call : row.whole;
    if (!row.option || row.status != Status::ok || time.samples == 0) continue;
    Contest& contest = found[{row.machine, row.problem}];
    contest.machine = row.machine, contest.problem = row.problem;
    contest.rows.push_back(i);
    std::optional<Interval>& best = contest.times[static_cast<std::size_t>(*row.option)];
    if (!best || time.median < best->median) best = time;
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

std::vector<Contest> contests_of(const DataSet& data, Target target) {
  return contests_among(data, measured_problems(data, target));
}

ProblemsByTarget measured_problems(const DataSet& data) {
  return {measured_problems(data, Target::call), measured_problems(data, Target::whole)};
}

ProblemsByTarget of_families_with_a_choice(const DataSet& data, const ProblemsByTarget& problems) {
  using Places = std::array<bool, 2>;  // the CPU, the GPU
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
