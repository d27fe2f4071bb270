// Corrects the fills of a draft that make the reference run long.
#include <algorithm>
#include <cmath>

#include "own/trial/trial_steps.hpp"

namespace sextant::own {
namespace {

constexpr std::int64_t small = 16;
constexpr double most_accesses = 200;  // for each element

// Returns the number of accesses for each element of the arrays, or of operations if there are more.
double share_of(const WatchedRun& run) {
  double elements = 1;
  for (const ArrayAccess& one : run.arrays) elements += static_cast<double>(one.length);
  constexpr double operation = 2e-9;  // seconds
  return run.ending == WatchedRun::Ending::too_long
             ? INFINITY
             : std::max(static_cast<double>(run.accesses), run.seconds / operation) / elements;
}

// Returns a description whose array has large numbers, as at other seeds or sizes.
Description with_large(const TrialState& state, std::size_t array) {
  constexpr std::int64_t large = 1 << 20;
  Description description = state.description();
  const bool members = description.arrays[array].fill.kind == Fill::Kind::members;
  fill_with(members ? large : std::min(large, state.most_value(array)), array, &description);
  return description;
}

bool is_unlimited(const Fill& fill) {
  return fill.kind == Fill::Kind::uniform || (fill.kind == Fill::Kind::members && fill.high.empty());
}

}  // namespace

void correct_work(TrialState* state) {
  const TrialPoint point = state->points().back();
  const double usual = share_of(state->run(state->description(), point));
  for (const std::size_t one : state->whole_inputs()) {
    const DescribedArray& array = state->description().arrays[one];
    if (!is_unlimited(array.fill)) continue;
    const double share = std::max(usual, share_of(state->run(with_large(*state, one), point)));
    if (share < most_accesses) continue;
    Description shorter = state->description();
    fill_with(small - 1, one, &shorter);
    if (share_of(state->run(shorter, point)) > share / 4) continue;
    const std::string name = array.name, high = std::to_string(small);
    const std::string fill =
        array.fill.kind == Fill::Kind::members ? high : "{ low = 0, high = " + high + " }";
    state->change([&](DraftChanges* changes) { changes->fills[name] = {fill, "larger numbers run long"}; });
    return;
  }
}

}  // namespace sextant::own
