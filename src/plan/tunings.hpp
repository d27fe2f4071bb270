// The tunings of a variant: its default, and those that a selection requests.
#pragma once

#include <vector>

#include "plan/select.hpp"
#include "plan/selection.hpp"

namespace sextant {

// Returns a tunable's choices together with their texts.
std::vector<TunedValue> values_of(const Variant& variant, const Tunable& tunable, const ChoiceTexts& texts);

// Returns the requested tunings with renamed tunables replaced by their current names.
AskedTunings current_tunings(const AskedTunings& asked, const Case& what);

// Returns the default tuning for a problem: the preferred values, as modified by the variant's adapt.
Tuning default_tuning(const Variant& variant, const Problem& problem);

// Throws UserError unless each key is a tunable of a selected variant and each value is one of its choices.
void check_tunings(const Selection& selection, const std::vector<SelectedKernel>& chosen);

// Returns the requested tunings with their texts, ascending, with the first tunable changing slowest. For a
// search this is only the default tuning. Empty if the variant has none of the values requested for a
// tunable. `every` and no requested tuning: all tunings if there are at most 64, else each choice of each
// tunable.
std::vector<Tuning> tunings_of(const Variant& variant, const Case& what, bool every,
                               const Selection& selection, const ChoiceTexts& texts);

}  // namespace sextant
