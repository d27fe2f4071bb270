#include "plan/shard.hpp"

namespace sextant {
namespace {

bool of_one_problem(const Case& a, const Case& b) {
  return a.kernel == b.kernel && a.problem_class == b.problem_class && a.problem.n == b.problem.n &&
         a.problem.type == b.problem.type;
}

}  // namespace

std::vector<Case> shard_of(const std::vector<Case>& cases, const Shard& shard) {
  if (shard.count == 1) return cases;
  std::vector<std::size_t> group(cases.size(), 0);
  for (std::size_t i = 1; i < cases.size(); ++i)
    group[i] = group[i - 1] + (of_one_problem(cases[i - 1], cases[i]) ? 0 : 1);
  const bool by_problem = !cases.empty() && group.back() + 1 >= 2 * shard.count;
  std::vector<Case> part;
  for (std::size_t i = 0; i < cases.size(); ++i)
    if ((by_problem ? group[i] : i) % shard.count == shard.index - 1) part.push_back(cases[i]);
  return part;
}

}  // namespace sextant
