#include "predict/evaluate.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

#include "base/error.hpp"
#include "predict/scores.hpp"

namespace sextant::predict {
namespace {

// The part of a fold (train, test or neither) that contains all rows of a problem; neither if its rows
// differ.
Part part_of(const Contest& contest, const std::vector<Part>& parts) {
  for (const std::size_t row : contest.rows)
    if (parts[row] != parts[contest.rows.front()]) return Part::neither;
  return parts[contest.rows.front()];
}

// Calls `one` for each number below `count`, in parallel on all cores. Rethrows exceptions of the calls.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& one) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) one(i);
  };
  std::vector<std::future<void>> others;
  const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  while (others.size() + 1 < std::min(cores, count)) others.push_back(std::async(std::launch::async, work));
  work();
  for (std::future<void>& other : others) other.get();
}

void require_no_leak(const DataSet& data, Split split, const std::vector<Part>& parts) {
  const std::vector<std::string> found = leaks(data, split, parts);
  if (found.empty()) return;
  const std::string text =
      std::string("training and test data overlap in the split ") + name_of(split) + ": " + found.front();
  if (data.folds.contains(name_of(split)))
    throw UserError(text + ". Correct the file folds/" + name_of(split) + ".csv.");
  throw std::logic_error(text);
}

}  // namespace

Answer least_of(const Answer::Values& cost) {
  Answer answer;
  answer.cost = cost;
  answer.choice =
      all_options[static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin())];
  return answer;
}

std::vector<std::vector<JudgedAnswer>> judged_answers(const DataSet& data, Split split, Target target,
                                                      const std::vector<Selector>& selectors, Judged of) {
  const ProblemsByTarget problems = measured_problems(data);
  const Folds folds(data, split);
  using BySelector = std::vector<std::vector<JudgedAnswer>>;
  const auto judged_in = [&](const std::string& fold) {
    BySelector judged(selectors.size());
    const std::vector<Part> parts = folds.parts(fold);
    require_no_leak(data, split, parts);
    const auto in = [&](Part part, Target its) {
      std::vector<Contest> some;
      for (const Contest& problem : problems[static_cast<std::size_t>(its)])
        if (part_of(problem, parts) == part) some.push_back(problem);
      return some;
    };
    const ProblemsByTarget taught = {in(Part::train, Target::call), in(Part::train, Target::whole)};
    std::vector<Contest> asked = contests_among(data, in(Part::test, target));
    std::erase_if(asked, [&](const Contest& contest) {
      return partition_of(data.machines[contest.machine].profile).empty() ==
             (of == Judged::parts_of_machines);
    });
    if (taught[static_cast<std::size_t>(target)].empty() || asked.empty()) return judged;
    for (std::size_t i = 0; i < selectors.size(); ++i) {
      const Choose choose = selectors[i].teach(data, target, taught);
      for (const Contest& contest : asked) judged[i].push_back({contest, choose(contest)});
    }
    return judged;
  };
  const std::vector<std::string> names = folds.names();
  std::vector<BySelector> by_fold(names.size());
  in_parallel(names.size(), [&](std::size_t i) { by_fold[i] = judged_in(names[i]); });
  BySelector all(selectors.size());
  for (const BySelector& of_fold : by_fold)
    for (std::size_t i = 0; i < selectors.size(); ++i)
      all[i].insert(all[i].end(), of_fold[i].begin(), of_fold[i].end());
  return all;
}

std::vector<Score> evaluate(const DataSet& data, Split split, Target target,
                            const std::vector<Selector>& selectors, Judged of) {
  const std::vector<std::vector<JudgedAnswer>> judged = judged_answers(data, split, target, selectors, of);
  std::vector<Score> scores;
  for (std::size_t i = 0; i < selectors.size(); ++i)
    scores.push_back(score_of(selectors[i].name, data, judged[i]));
  return scores;
}

}  // namespace sextant::predict
