#include "plan/shard.hpp"

#include <algorithm>

#include "base/plural.hpp"

namespace sextant {
namespace {

bool of_one_problem(const Case& a, const Case& b) {
  return a.kernel == b.kernel && a.problem_class == b.problem_class && a.problem.n == b.problem.n &&
         a.problem.type == b.problem.type;
}

// Numbers the problems, and returns the number of each case's problem.
std::vector<std::size_t> problem_numbers(const std::vector<Case>& cases) {
  std::vector<std::size_t> group(cases.size(), 0);
  for (std::size_t i = 1; i < cases.size(); ++i)
    group[i] = group[i - 1] + (of_one_problem(cases[i - 1], cases[i]) ? 0 : 1);
  return group;
}

// Returns the largest number of shards that leaves at least two whole problems for each shard.
std::size_t most_whole_parts(const std::vector<std::size_t>& group) {
  return group.empty() ? 0 : (group.back() + 1) / 2;
}

}  // namespace

std::vector<Case> shard_of(const std::vector<Case>& cases, const Shard& shard) {
  if (shard.count == 1) return cases;
  const std::vector<std::size_t> group = problem_numbers(cases);
  const bool by_problem = shard.count <= most_whole_parts(group);
  std::vector<Case> part;
  for (std::size_t i = 0; i < cases.size(); ++i)
    if ((by_problem ? group[i] : i) % shard.count == shard.index - 1) part.push_back(cases[i]);
  return part;
}

std::string note_on_parts(const std::vector<Case>& cases, std::size_t count) {
  const std::vector<std::size_t> group = problem_numbers(cases);
  const std::size_t most = most_whole_parts(group);
  if (count <= std::max<std::size_t>(most, 1)) return "";
  return plural(group.empty() ? 0 : group.back() + 1, "problem") + " in " + plural(count, "part") +
         ": some problems are split over several parts, and cases on different machines cannot be "
         "compared; " +
         (most > 1 ? "use at most " + std::to_string(most) + " parts to keep problems whole"
                   : "select more sizes or kernels for so many parts");
}

}  // namespace sextant
