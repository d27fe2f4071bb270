// Corrects the sizes of a draft by trial runs.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "own/trial/trial_steps.hpp"

namespace sextant::own {
namespace {

constexpr std::int64_t tried[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32};
constexpr std::size_t last_tried = std::size(tried) - 1;

// Returns for each tried value of a size whether the run is as required at some usual sizes.
template <typename Holds>
std::vector<bool> outcomes(TrialState* state, std::size_t size, const Holds& holds) {
  const std::vector<TrialPoint> points = state->points();
  std::vector<bool> right;
  for (const std::int64_t value : tried)
    right.push_back(std::all_of(points.begin(), points.begin() + 3, [&](TrialPoint point) {
      point[size] = value;
      return holds(point);
    }));
  return right;
}

void set_least(TrialState* state, std::size_t size, std::int64_t least, const std::string& why) {
  const NamedExpression& one = state->description().sizes[size - 1];
  const std::string text = "\"max(" + one.expression.text() + ", " + std::to_string(least) + ")\"";
  const std::string name = one.name;
  state->change([&](DraftChanges* changes) { changes->sizes[name] = {text, why}; });
}

// Returns the smallest tried value from which on all are right, or nothing if the largest one is not.
std::optional<std::int64_t> least_right(const std::vector<bool>& right) {
  if (!right[last_tried]) return {};
  std::size_t first = last_tried;
  while (first > 0 && right[first - 1]) --first;
  return tried[first];
}

// Returns the largest tried value up to which all are right; nothing if the smallest one is not.
std::optional<std::int64_t> most_right(const std::vector<bool>& right) {
  if (!right[0]) return {};
  std::size_t last = 0;
  while (last < last_tried && right[last + 1]) ++last;
  return tried[last];
}

bool all_return(TrialState* state, const Description& description) {
  const std::vector<TrialPoint> points = state->points();
  return std::all_of(points.begin(), points.end(),
                     [&](const TrialPoint& point) { return state->run(description, point).returned(); });
}

// Returns true if an array of unknown length needs more elements with a larger value of the size.
bool grows_with(TrialState* state, const Description& description, std::size_t size) {
  TrialPoint small = state->points()[0], large = small;
  small[size] = 3, large[size] = 5;
  const WatchedRun before = state->run(description, small), after = state->run(description, large);
  if (!before.returned() || !after.returned()) return false;
  for (std::size_t i = 0; i < description.arrays.size(); ++i)
    if (state->is_unknown(i) && after.arrays[i].needed() > before.arrays[i].needed()) return true;
  return false;
}

}  // namespace

void find_sizes(TrialState* state) {
  constexpr std::int64_t usual = 8;
  for (std::size_t size = 1; size <= state->description().sizes.size(); ++size) {
    if (!state->is_constant(size)) continue;
    Description ones = state->description();
    for (const std::size_t one : state->whole_inputs()) fill_with(1, one, &ones);
    Description highest = state->description();  // of types of 8 or 16 bits
    for (const std::size_t one : state->whole_inputs())
      if (const std::int64_t most = state->most_value(one); most <= UINT16_MAX)
        fill_with(most, one, &highest);
    const bool grows = grows_with(state, ones, size) || grows_with(state, state->description(), size) ||
                       grows_with(state, highest, size);
    if (!grows) continue;
    if (state->fix(size, usual, "a guess")) state->vary(size);
  }
}

void correct_sizes(TrialState* state) {
  if (all_return(state, with_zeros(*state))) return;
  for (std::size_t size = 1; size <= state->description().sizes.size() && state->has_time(); ++size) {
    const Description zeros = with_zeros(*state);
    const std::vector<bool> right =
        outcomes(state, size, [&](const TrialPoint& point) { return state->run(zeros, point).returned(); });
    if (std::all_of(right.begin(), right.end(), [](bool one) { return one; })) continue;
    if (const std::optional<std::int64_t> most = most_right(right)) {
      state->fix(size, std::min<std::int64_t>(*most, 4), "a guess: larger numbers failed");
    } else if (const std::optional<std::int64_t> least = least_right(right)) {
      set_least(state, size, *least, "found by trial");
    }
    if (all_return(state, with_zeros(*state))) return;
  }
}

void correct_small_sizes(TrialState* state) {
  for (const std::size_t size : state->free_sizes()) {
    if (size == 0 || state->is_constant(size) || !state->has_time()) continue;
    const std::vector<bool> right = outcomes(state, size, [&](const TrialPoint& point) {
      return state->run(state->description(), point).in_bounds();
    });
    const std::optional<std::int64_t> least = least_right(right);
    if (least && *least > state->least_size(size)) set_least(state, size, *least, "found by trial");
  }
}

}  // namespace sextant::own
