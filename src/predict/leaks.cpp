// Searches a split's training part for information about its test part, independently of the splitting code.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "predict/folds.hpp"

namespace sextant::predict {
namespace {

// Names of the family, machine or problem that must not be in training if this row is tested.
std::vector<std::string> held_out(const DataSet& data, Split split, const DataRow& row) {
  const DataProblem& problem = data.problems[row.problem];
  const std::string hardware = "machine " + whole_hardware_of(data.machines[row.machine].profile),
                    family = "family " + problem.known.family;
  switch (split) {
    case Split::family_out:
      return {family};
    case Split::machine_out:
      return {hardware};
    case Split::family_machine_out:
      return {family, hardware};
    case Split::size_out:
    case Split::size_between:
      return {"problem " + problem.name};
  }
  return {};
}

std::string kernel_and_type(const DataProblem& problem) {
  return problem.what.kernel + " in " + name_of(problem.what.problem.type);
}

// Finds sizes of a kernel in training that are within a factor of two of a tested size.
void add_near_sizes(const DataSet& data, const std::vector<Part>& parts, std::set<std::string>* found) {
  std::map<std::string, std::set<double>> trained;
  for (std::size_t i = 0; i < data.rows.size(); ++i)
    if (const DataProblem& problem = data.problems[data.rows[i].problem]; parts[i] == Part::train)
      trained[kernel_and_type(problem)].insert(size_of(problem));
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    if (parts[i] != Part::test) continue;
    const DataProblem& problem = data.problems[data.rows[i].problem];
    const std::set<double>& sizes = trained[kernel_and_type(problem)];
    const auto next = sizes.upper_bound(size_of(problem) / 2);
    if (next != sizes.end() && *next < 2 * size_of(problem))
      found->insert("size " + std::to_string(std::llround(*next)) + " of " + kernel_and_type(problem) +
                    " is in training, " + std::to_string(std::llround(size_of(problem))) + " is tested");
  }
}

}  // namespace

std::vector<std::string> leaks(const DataSet& data, Split split, const std::vector<Part>& parts) {
  std::set<std::string> found, trained;
  for (std::size_t i = 0; i < data.rows.size(); ++i)
    if (parts[i] == Part::train)
      for (const std::string& text : held_out(data, split, data.rows[i])) trained.insert(text);
  for (std::size_t i = 0; i < data.rows.size(); ++i)
    if (parts[i] == Part::test)
      for (const std::string& text : held_out(data, split, data.rows[i]))
        if (trained.contains(text)) found.insert(text + " is in training and is tested");
  if (split == Split::size_out) add_near_sizes(data, parts, &found);
  return {found.begin(), found.end()};
}

}  // namespace sextant::predict
