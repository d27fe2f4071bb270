#include "own/kernel/step_plan.hpp"

#include <algorithm>

#include "base/intern.hpp"

namespace sextant::own {
namespace {

bool depends_on(const DescribedStep& step, std::size_t name) {
  const auto uses = [&](const Expression& one) { return !one.empty() && one.uses(name); };
  return uses(step.shared) || std::any_of(step.block.begin(), step.block.end(), uses) ||
         std::any_of(step.grid.begin(), step.grid.end(), uses) ||
         std::any_of(step.arguments.begin(), step.arguments.end(), [&](const DescribedArgument& one) {
           return one.kind == DescribedArgument::Kind::expression && uses(one.value);
         });
}

std::int64_t count_of(const Expression& count, const std::vector<std::int64_t>& values) {
  return count.empty() ? 1 : std::max<std::int64_t>(0, count.at(values));
}

}  // namespace

StepPlan plan_steps(const Description& description, const DescribedVariant& variant,
                    const std::vector<std::int64_t>& values) {
  StepPlan plan;
  plan.rounds = count_of(variant.rounds, values);
  plan.round_swapped = variant.round_swapped;
  const std::size_t step_name = description.names_for(variant).size();
  for (const DescribedStep* one : variant.steps()) {
    PlannedStep planned{one, intern(one->function.substr(0, one->function.find('<')))};
    planned.repeat = count_of(one->repeat, values);
    if (depends_on(*one, step_name)) planned.variants = one->repeat.empty() ? plan.rounds : planned.repeat;
    plan.steps.push_back(planned);
  }
  return plan;
}

std::vector<Temporary> temporaries_of(const DescribedVariant& variant, ElementType type,
                                      const std::vector<std::int64_t>& values) {
  std::vector<Temporary> all;
  for (const DescribedArray& one : variant.temporaries)
    all.push_back({one.element_type(type), std::max<std::int64_t>(0, one.elements(values))});
  return all;
}

}  // namespace sextant::own
