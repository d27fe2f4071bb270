// Lists the tunings (values of all tunables) of a variant: the default and the requested ones.
#pragma once

#include <vector>

#include "plan/select.hpp"
#include "plan/selection.hpp"

namespace sextant {

// Returns all choices of a tunable, with texts for those that are not numbers.
std::vector<TunedValue> values_of(const Variant& variant, const Tunable& tunable, const ChoiceTexts& texts);

// Returns the requested tunings with the current names of renamed tunables.
AskedTunings current_tunings(const AskedTunings& asked, const Case& what);

// Returns the default tuning for a problem: the preferred values, changed by Variant::adapt.
Tuning default_tuning(const Variant& variant, const Problem& problem);

// Throws UserError unless each key is a tunable of a selected variant and each value is one of its choices.
void check_tunings(const Selection& selection, const std::vector<SelectedKernel>& chosen);

// Returns the requested tunings in ascending order; the first tunable changes slowest. Empty if the variant
// lacks a requested value. A search (Selection::searched) gets only the default tuning.
//
// If `every` is true and no tuning is requested, returns all tunings if there are at most 64. If there are
// more, it varies one tunable at a time and keeps the others at their defaults.
std::vector<Tuning> tunings_of(const Variant& variant, const Case& what, bool every,
                               const Selection& selection, const ChoiceTexts& texts);

}  // namespace sextant
