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

bool is_unlimited(const Fill& fill) {
  return fill.kind == Fill::Kind::uniform || (fill.kind == Fill::Kind::members && fill.high.empty());
}

}  // namespace

void correct_work(TrialState* state) {
  const TrialPoint point = state->points().back();
  const double share = share_of(state->run(state->description(), point));
  if (share < most_accesses) return;
  for (const std::size_t one : state->whole_inputs()) {
    const DescribedArray& array = state->description().arrays[one];
    if (!is_unlimited(array.fill)) continue;
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
