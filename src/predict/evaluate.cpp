#include "predict/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "predict/physics.hpp"

namespace sextant::predict {
namespace {

constexpr double failed_fraction = 0.1;  // as ten times the best: what algorithm selection's PAR10 counts

std::size_t index_of(Option option) { return static_cast<std::size_t>(option); }

// Whether there was something to choose between.
bool is_contest(const Contest& contest, const Profile& profile) {
  for (const Option option : {Option::serial, Option::openmp, Option::openacc, Option::cuda})
    if ((profile.gpu || !on_gpu(option)) && !contest.at(option)) return false;
  return true;
}

// What a fold makes of a contest: the part of all its rows.
Part part_of(const Contest& contest, const std::vector<Part>& parts) {
  for (const std::size_t row : contest.rows)
    if (parts[row] != parts[contest.rows.front()]) return Part::neither;
  return parts[contest.rows.front()];
}

struct Judged {
  std::string family;  // and machine
  double fraction;
};

Score score_of(const std::string& selector, std::vector<Judged> judged) {
  Score score;
  score.selector = selector;
  score.contests = judged.size();
  if (judged.empty()) return score;
  std::map<std::string, std::pair<double, int>> families;  // sum of logs, count
  for (const Judged& one : judged) {
    families[one.family].first += std::log(one.fraction);
    ++families[one.family].second;
    score.top_one += one.fraction == 1 ? 1 : 0;
  }
  score.top_one /= static_cast<double>(judged.size());
  double sum = 0;
  for (const auto& [name, part] : families) {
    const double mean = part.first / part.second;
    sum += mean;
    if (score.worst_name.empty() || std::exp(mean) < score.worst_family)
      score.worst_family = std::exp(mean), score.worst_name = name;
  }
  score.fraction = std::exp(sum / static_cast<double>(families.size()));
  std::sort(judged.begin(), judged.end(),
            [](const Judged& a, const Judged& b) { return a.fraction < b.fraction; });
  score.fifth_percentile = judged[judged.size() / 20].fraction;
  return score;
}

}  // namespace

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

std::vector<Contest> contests_of(const DataSet& data, Target target) {
  std::map<std::pair<std::size_t, std::size_t>, Contest> found;
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    const DataRow& row = data.rows[i];
    const Interval& time = target == Target::call ? row.call : row.whole;
    if (!row.option || row.status != Status::ok || time.samples == 0) continue;
    Contest& contest = found[{row.machine, row.problem}];
    contest.machine = row.machine, contest.problem = row.problem;
    contest.rows.push_back(i);
    std::optional<Interval>& best = contest.times[index_of(*row.option)];
    if (!best || time.median < best->median) best = time;
  }
  std::vector<Contest> contests;
  for (auto& [place, contest] : found)
    if (is_contest(contest, data.machines[contest.machine].profile)) contests.push_back(std::move(contest));
  return contests;
}

std::vector<Score> evaluate(const DataSet& data, Split split, Target target,
                            const std::vector<Selector>& selectors) {
  const std::vector<Contest> contests = contests_of(data, target);
  const Folds folds(data, split);
  std::vector<std::vector<Judged>> judged(selectors.size());
  for (const std::string& fold : folds.names()) {
    const std::vector<Part> parts = folds.parts(fold);
    if (!leaks(data, split, parts).empty())
      throw std::logic_error(std::string("a leak in ") + name_of(split) + ": " +
                             leaks(data, split, parts).front());
    std::vector<Contest> taught, asked;
    for (const Contest& contest : contests) {
      const Part part = part_of(contest, parts);
      if (part != Part::neither) (part == Part::train ? taught : asked).push_back(contest);
    }
    if (taught.empty()) continue;
    for (std::size_t i = 0; i < selectors.size(); ++i) {
      const Choose choose = selectors[i].teach(data, target, taught);
      for (const Contest& contest : asked) {
        const std::string family = data.problems[contest.problem].known.family;
        const std::string place =
            data.machines.size() > 1 ? " on " + data.machines[contest.machine].name : "";
        judged[i].push_back({family + place, contest.fraction(choose(contest))});
      }
    }
  }
  std::vector<Score> scores;
  for (std::size_t i = 0; i < selectors.size(); ++i)
    scores.push_back(score_of(selectors[i].name, std::move(judged[i])));
  return scores;
}

}  // namespace sextant::predict
