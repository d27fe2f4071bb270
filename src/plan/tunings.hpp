// Finds the tunings of a variant: its default, and those that a selection requests.
#pragma once

#include <vector>

#include "plan/select.hpp"
#include "plan/selection.hpp"

namespace sextant {

// Returns all choices of a tunable, with their texts if they are not numbers.
std::vector<TunedValue> values_of(const Variant& variant, const Tunable& tunable, const ChoiceTexts& texts);

// Returns the requested tunings, with old names of renamed tunables replaced by the current ones.
AskedTunings current_tunings(const AskedTunings& asked, const Case& what);

// Returns the default tuning for a problem: the preferred values as modified by Variant::adapt.
Tuning default_tuning(const Variant& variant, const Problem& problem);

// Throws UserError unless each key is a tunable of a selected variant and each value is one of its choices.
void check_tunings(const Selection& selection, const std::vector<SelectedKernel>& chosen);

// Returns the requested tunings with their texts in ascending order; the first tunable changes slowest. For a
// search (Selection::searched) this is only the default tuning. The result is empty if the variant has none
// of the values requested for a tunable. With `every` and no requested tuning, it contains all tunings if
// there are at most 64. Otherwise it contains each choice of each tunable once, with the defaults of the
// others.
std::vector<Tuning> tunings_of(const Variant& variant, const Case& what, bool every,
                               const Selection& selection, const ChoiceTexts& texts);

}  // namespace sextant
