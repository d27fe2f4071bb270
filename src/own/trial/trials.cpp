#include "own/trial/trials.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/error.hpp"
#include "own/trial/trial_steps.hpp"

namespace sextant::own {
namespace {

bool is_right(TrialState* state) {
  const std::vector<TrialPoint> points = state->points();
  return std::all_of(points.begin(), points.end(), [&](const TrialPoint& point) {
    return state->run(state->description(), point).in_bounds();
  });
}

// Returns the whole numbers in a source, such as block sizes.
std::vector<std::int64_t> numbers_in(const std::string& source) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!std::isalnum(static_cast<unsigned char>(source[i])) && source[i] != '_') continue;
    std::size_t end = i;  // of a word or number
    while (end < source.size() &&
           (std::isalnum(static_cast<unsigned char>(source[end])) || source[end] == '_'))
      ++end;
    const long long number = std::strtoll(source.substr(i, end - i).c_str(), nullptr, 0);
    if (number > 1 && number <= 65536) numbers.push_back(number);
    i = end;
  }
  return numbers;
}

}  // namespace

DraftChanges changes_by_trials(const TrialAsked& asked) try {
  constexpr int most_rounds = 3;
  TrialState state(asked);
  if (!state.compiled()) return {};
  find_sizes(&state);
  for (int round = 0; round < most_rounds && state.has_time() && !is_right(&state); ++round) {
    correct_sizes(&state);
    correct_lengths(&state, true);
    correct_fills(&state);
    correct_work(&state);
    correct_lengths(&state, false);
  }
  correct_work(&state);
  correct_own_indices(&state);
  shorten_results(&state);
  correct_small_sizes(&state);
  correct_tolerance(&state);
  return state.changes();
} catch (const UserError&) {  // the draft is no valid description
  return {};
}

DraftChanges changes_by_trials(const std::string& source, const std::string& file,
                               const SourceFunctions& found, const DraftAsked& asked) {
  DraftAsked changed = asked;
  return changes_by_trials({[&](const DraftChanges& changes) {
                              changed.changes = changes;
                              return read_description(file, draft_of(source, file, found, changed));
                            },
                            arrays_of_unknown_length(source, file, found, asked), numbers_in(source)});
}

}  // namespace sextant::own
