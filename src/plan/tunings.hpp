// A variant's tunings: its default, and those that a selection asks for.
#pragma once

#include <vector>

#include "plan/select.hpp"
#include "plan/selection.hpp"

namespace sextant {

// A tunable's choices, with what they stand for.
std::vector<TunedValue> values_of(const Variant& variant, const Tunable& tunable, const ChoiceTexts& texts);

// What is asked for, by the names that the tunables of this case's variant have today.
AskedTunings current_tunings(const AskedTunings& asked, const Case& what);

// The default tuning of a variant for a problem: preferred values, then the variant's adapt.
Tuning default_tuning(const Variant& variant, const Problem& problem);

// Throws UserError: each key must be a tunable of a selected variant, each value one of its choices.
void check_tunings(const Selection& selection, const std::vector<SelectedKernel>& chosen);

// The tunings asked for of a case's variant, in ascending order of their values, the first tunable changing
// slowest, with what their values stand for; of a space to search its default. Empty if the variant has none
// of the values asked for one of its tunables. `every`: all tunings where none are asked for, if there are
// few, else every choice of each tunable.
std::vector<Tuning> tunings_of(const Variant& variant, const Case& what, bool every,
                               const Selection& selection, const ChoiceTexts& texts);

}  // namespace sextant
