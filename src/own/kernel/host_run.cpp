#include "own/kernel/host_run.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "suite/element.hpp"

namespace sextant::own {
namespace {

// Returns the values of the step's expression arguments. The argument sets are stored one after the other.
std::vector<long long> argument_values(const PlannedStep& planned, std::vector<std::int64_t> values) {
  std::vector<long long> all;
  values.push_back(0);
  for (std::int64_t set = 0; set < planned.variants; ++set) {
    values.back() = set;
    for (const DescribedArgument& one : planned.step->arguments)
      if (one.kind == DescribedArgument::Kind::expression) all.push_back(one.value.at(values));
  }
  return all;
}

}  // namespace

void set_nowhere(ElementType type, void* data, std::size_t count) {
  with_elements(type, data, [&]<typename T>(T* elements) {
    if constexpr (is_floating<T>)
      std::fill_n(elements, count, T(static_cast<std::conditional_t<sizeof(T) == 8, double, float>>(NAN)));
    else
      std::fill_n(elements, count, T{});
  });
}

HostState state_without_temporaries(const Description& description, const DescribedVariant& variant,
                                    const std::vector<std::int64_t>& values, const RunTypes& types,
                                    HostState::Step step) {
  HostState state;
  state.step = step;
  state.plan = plan_steps(description, variant, values);
  for (const PlannedStep& one : state.plan.steps) state.values.push_back(argument_values(one, values));
  for (const NamedNumber& one : description.scalars)
    state.scalars.push_back(types.of_scalars == ElementType::float32
                                ? static_cast<double>(static_cast<float>(one.value))
                                : one.value);
  state.arrays.resize(description.arrays.size());
  return state;
}

HostState host_state(const Description& description, const DescribedVariant& variant,
                     const std::vector<std::int64_t>& values, const RunTypes& types, HostState::Step step) {
  HostState state = state_without_temporaries(description, variant, values, types, step);
  for (const Temporary& one : temporaries_of(variant, types.of_t, values)) {
    const auto count = static_cast<std::size_t>(one.elements);
    state.temporaries.push_back(std::make_unique_for_overwrite<std::byte[]>(count * element_size(one.type)));
    set_nowhere(one.type, state.temporaries.back().get(), count);
    state.arrays.push_back(state.temporaries.back().get());
  }
  return state;
}

void run_steps(HostState* state, const Call* call) {
  run_plan(state->plan, call, &state->arrays, [&](std::size_t step, std::size_t set) {
    const std::vector<long long>& values = state->values[step];
    const std::size_t each = values.size() / static_cast<std::size_t>(state->plan.steps[step].variants);
    state->step(static_cast<int>(step), state->arrays.data(), state->scalars.data(),
                values.data() + set * each);
  });
}

}  // namespace sextant::own
