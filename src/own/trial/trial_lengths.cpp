// Corrects array lengths of a draft by trial runs.
#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "own/trial/trial_steps.hpp"

namespace sextant::own {
namespace {

// Returns descriptions with zeros and with ones in all arrays of whole numbers.
std::vector<Description> zeros_and_ones(const TrialState& state) {
  Description ones = state.description();
  for (const std::size_t one : state.whole_inputs()) fill_with(1, one, &ones);
  return {with_zeros(state), ones};
}

// Returns descriptions for runs at a point: the fills as they are, each fill with an upper bound replaced by
// its highest number, and all of them.
std::vector<Description> extremes(const TrialState& state, const TrialPoint& point) {
  const Description& description = state.description();
  std::vector<Description> all = {description};
  Description highest = description;
  for (const std::size_t one : state.whole_inputs()) {
    const Fill& fill = description.arrays[one].fill;
    if ((fill.kind != Fill::Kind::between && fill.kind != Fill::Kind::sorted) || fill.high.empty()) continue;
    Description single = description;
    const std::vector<double> real(point.begin(), point.end());
    const auto most = static_cast<std::int64_t>(fill.high.real_at(real)) - 1;
    fill_with(most, one, &single);
    fill_with(most, one, &highest);
    all.push_back(std::move(single));
  }
  if (all.size() > 2) all.push_back(std::move(highest));
  return all;
}

// Lengths that arrays need at the points, by array.
using Needs = std::vector<std::vector<Observation>>;

Needs needs_at(TrialState* state, const std::vector<TrialPoint>& points, bool zeros) {
  Needs needs(state->description().arrays.size());
  for (const TrialPoint& point : points) {
    std::vector<std::int64_t> most(needs.size(), 0);
    bool any = false;
    for (const Description& one : zeros ? zeros_and_ones(*state) : extremes(*state, point)) {
      const WatchedRun run = state->run(one, point);
      if (!run.returned()) continue;
      for (std::size_t i = 0; i < needs.size(); ++i)
        if (!zeros || !any || state->is_unknown(i)) most[i] = std::max(most[i], run.arrays[i].needed());
      any = true;
    }
    for (std::size_t i = 0; any && i < needs.size(); ++i) needs[i].push_back(state->observed(point, most[i]));
  }
  return needs;
}

// Returns "4 ** k" if this is the length that an array needs for small values of the size k.
std::optional<std::string> power_of(TrialState* state, std::size_t array, std::size_t size) {
  std::vector<std::int64_t> needed;
  for (const std::int64_t one : {2, 3, 4, 5, 6}) {
    TrialPoint point = state->points()[0];
    point[size] = one;
    const WatchedRun run = state->run(state->description(), point);
    if (!run.returned()) return {};
    needed.push_back(run.arrays[array].needed());
  }
  const std::int64_t base = needed[0] > 0 ? needed[1] / needed[0] : 0;
  if (base < 2 || needed[0] != base * base) return {};
  for (std::size_t i = 0; i + 1 < needed.size(); ++i)
    if (needed[i + 1] != base * needed[i]) return {};
  return std::to_string(base) + " ** " + state->description().sizes[size - 1].name;
}

// Sets a length that depends exponentially on a size, and makes that size a constant.
bool set_power(TrialState* state, std::size_t array) {
  constexpr std::int64_t usual = 3;
  const std::string name = state->description().arrays[array].name;
  for (std::size_t size = 1; size <= state->description().sizes.size(); ++size) {
    const std::optional<std::string> length = power_of(state, array, size);
    if (!length) continue;
    return state->fix(size, usual, "a guess: " + name + " grows exponentially with it") &&
           state->change([&](DraftChanges* changes) {
             changes->lengths[name] = {*length, "length found by trial"};
           });
  }
  return false;
}

// Returns true if an array is too short at some point.
bool is_short(const TrialState& state, std::size_t array, const std::vector<TrialPoint>& points,
              const std::vector<Observation>& needs) {
  const DescribedArray& one = state.description().arrays[array];
  for (std::size_t i = 0; i < needs.size() && i < points.size(); ++i)
    if (needs[i].number > one.length.at(points[i])) return true;
  return false;
}

// Returns rows * columns for rows * columns - columns + 1: the last row may be longer with other numbers.
Polynomial whole_rows(const Polynomial& length) {
  for (const std::string& columns : length.names())
    for (const std::int64_t last : {1, 2}) {
      const Polynomial whole = length + Polynomial::of(columns) - Polynomial(last);
      if (whole.size() == 1 && whole.degree() > 1 && whole.grows()) return whole;
    }
  return length;
}

void lengthen(TrialState* state, std::size_t array, const std::vector<Observation>& needs) {
  const std::string name = state->description().arrays[array].name;
  const std::optional<Polynomial> exact = exact_fit(state->fit(), needs);
  if ((!exact || exact->constant()) && set_power(state, array)) return;
  const std::optional<std::string> length =
      exact ? (state->is_unknown(array) ? whole_rows(*exact) : *exact).text()
            : upper_fit(state->fit(), needs);
  if (length)
    state->change([&](DraftChanges* changes) {
      changes->lengths[name] = {*length, "length found by trial"};
    });
}

// Replaces a guessed length if all sizes show which length suffices.
void replace_guess(TrialState* state, std::size_t array, const std::vector<Observation>& needs) {
  const DescribedArray& one = state->description().arrays[array];
  const std::string name = one.name;
  if (!state->is_unknown(array) || state->changes().lengths.contains(name) || needs[0].number == 0) return;
  const std::optional<std::string> length = tight_fit(state->fit(), needs);
  if (length && *length != one.length.text())
    state->change([&](DraftChanges* changes) {
      changes->lengths[name] = {*length, "length found by trial"};
    });
}

// Returns true if the array is longer than the numbers at all points, or as long.
bool is_longer(const DescribedArray& array, const std::vector<TrialPoint>& points,
               const std::vector<Observation>& needs) {
  bool any = false;
  for (std::size_t i = 0; i < needs.size() && i < points.size(); ++i) {
    const std::int64_t length = array.length.at(points[i]);
    if (needs[i].number > length) return false;
    any = any || needs[i].number < length;
  }
  return any;
}

}  // namespace

void shorten_results(TrialState* state) {
  const std::vector<TrialPoint> points = state->points();
  const Needs needs = needs_at(state, points, false);
  for (std::size_t i = 0; i < needs.size() && state->has_time(); ++i) {
    const DescribedArray& one = state->description().arrays[i];
    if (one.role != Role::out || needs[i].size() != points.size() || !is_longer(one, points, needs[i]))
      continue;
    const std::string name = one.name;
    if (const std::optional<Polynomial> length = exact_fit(state->fit(), needs[i]); length)
      state->change([&](DraftChanges* changes) {
        changes->lengths[name] = {length->text(), "as many as the reference writes, found by trial"};
      });
  }
}

void correct_lengths(TrialState* state, bool zeros) {
  const std::vector<TrialPoint> points = state->points();
  const Needs needs = needs_at(state, points, zeros);
  for (std::size_t i = 0; i < needs.size() && state->has_time(); ++i)
    if (needs[i].size() != points.size())
      continue;
    else if (is_short(*state, i, points, needs[i]))
      lengthen(state, i, needs[i]);
    else if (!zeros)
      replace_guess(state, i, needs[i]);
}

}  // namespace sextant::own
