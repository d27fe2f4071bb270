// The steps of a user kernel's variant in the order of execution, and how often each step is repeated.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "own/description/description.hpp"
#include "suite/variant.hpp"

namespace sextant::own {

struct PlannedStep {
  const DescribedStep* step;
  const char* phase;        // name of the step's function, used as the name of a phase
  std::int64_t repeat = 1;  // number of consecutive launches
  // Number of argument sets: one per repetition if arguments depend on `step`, else one.
  std::int64_t variants = 1;
};

struct StepPlan {
  std::vector<PlannedStep> steps;
  std::int64_t rounds = 1;         // number of times that the whole sequence of steps is executed
  std::vector<int> round_swapped;  // indices of two arrays that are swapped after each round, or empty
};

// Evaluates the repetition counts. `values` are the values of Description::names_for(variant). Throws
// UserError if a count cannot be evaluated.
StepPlan plan_steps(const Description& description, const DescribedVariant& variant,
                    const std::vector<std::int64_t>& values);

// The type and size of a temporary array.
struct Temporary {
  ElementType type;
  std::int64_t elements;
};
std::vector<Temporary> temporaries_of(const DescribedVariant& variant, ElementType type,
                                      const std::vector<std::int64_t>& values);

inline void swap_arrays(const std::vector<int>& two, std::vector<void*>* arrays) {
  if (!two.empty())
    std::swap((*arrays)[static_cast<std::size_t>(two[0])], (*arrays)[static_cast<std::size_t>(two[1])]);
}

// Runs the plan. For each launch, it calls launch(index of the step, index of its argument set). Between
// launches it swaps arrays as the steps require. If `call` is not null and there are several steps, each step
// is a phase of the call.
template <typename Launch>
void run_plan(const StepPlan& plan, const Call* call, std::vector<void*>* arrays, const Launch& launch) {
  for (std::int64_t round = 0; round < plan.rounds; ++round) {
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      const PlannedStep& one = plan.steps[i];
      if (call && plan.steps.size() > 1) call->phase(one.phase);
      for (std::int64_t repetition = 0; repetition < one.repeat; ++repetition) {
        const std::int64_t step = one.step->repeat.empty() ? round : repetition;
        launch(i, static_cast<std::size_t>(one.variants > 1 ? step : 0));
        swap_arrays(one.step->swapped, arrays);
      }
    }
    swap_arrays(plan.round_swapped, arrays);
  }
}

}  // namespace sextant::own
