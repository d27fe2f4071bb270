// Corrects indices with which elements choose themselves, so that a distance between two elements is zero.
#include <algorithm>
#include <set>
#include <string>

#include "own/trial/trial_steps.hpp"

namespace sextant::own {
namespace {

bool gives_nan(TrialState* state) {
  const std::vector<TrialPoint> points = state->points();
  return std::any_of(points.begin(), points.end(), [&](const TrialPoint& point) {
    const WatchedRun run = state->run(state->description(), point);
    return run.returned() && run.has_nan;
  });
}

bool is_right(TrialState* state) {
  const std::vector<TrialPoint> points = state->points();
  return std::all_of(points.begin(), points.end(), [&](const TrialPoint& point) {
    const WatchedRun run = state->run(state->description(), point);
    return run.in_bounds() && !run.has_nan;
  });
}

// Returns the upper bound of a fill with whole numbers from 0 on; empty for other fills.
std::string bound_of(const DescribedArray& array) {
  const bool from_zero = array.fill.low.empty() || array.fill.low.text() == "0";
  return array.fill.kind == Fill::Kind::between && from_zero && !array.fill.high.empty()
             ? array.fill.high.text()
             : "";
}

std::string doubled(const std::string& length) {
  return "2 * " + (length.find(' ') == std::string::npos ? length : "(" + length + ")");
}

// Returns the arrays that are too short if the elements of an array are larger by `bound`.
std::set<std::string> chosen_by(TrialState* state, std::size_t array, const std::string& bound) {
  Description moved = state->description();
  const std::vector<std::string> names = moved.size_names();
  Fill& fill = moved.arrays[array].fill;
  fill.low = Expression(bound, names, "a fill");
  fill.high = Expression(doubled(bound), names, "a fill");
  std::set<std::string> chosen;
  for (const TrialPoint& point : state->points()) {
    const WatchedRun run = state->run(moved, point);
    for (std::size_t i = 0; i < moved.arrays.size() && i < run.arrays.size(); ++i)
      if (!run.arrays[i].in_bounds()) chosen.insert(moved.arrays[i].name);
  }
  return chosen;
}

}  // namespace

void correct_own_indices(TrialState* state) {
  if (!gives_nan(state)) return;
  for (const std::size_t one : state->whole_inputs()) {
    const std::string name = state->description().arrays[one].name;
    const std::string bound = bound_of(state->description().arrays[one]);
    if (bound.empty() || !state->has_time()) continue;
    const std::set<std::string> chosen = chosen_by(state, one, bound);
    if (chosen.empty()) continue;
    const DraftChanges before = state->changes();
    const std::string why = "no element chooses itself, which gave results that are no numbers";
    const bool changed = state->change([&](DraftChanges* changes) {
      for (const std::string& array : chosen)
        changes->lengths[array] = {doubled(bound), "twice as many as others choose"};
      changes->fills[name] = {"{ low = \"" + bound + "\", high = \"" + doubled(bound) + "\" }", why};
    });
    if (changed && is_right(state)) return;
    state->change([&](DraftChanges* changes) { *changes = before; });
  }
}

}  // namespace sextant::own
