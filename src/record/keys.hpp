// Builds texts that identify cases, problems and tunings.
#pragma once

#include <string>
#include <vector>

#include "record/case.hpp"
#include "suite/choice_texts.hpp"

namespace sextant {

// Returns a text that identifies a case. It serves to continue a run and to compare files. The format is:
// kernel|variant|type|n or class|extents|parameters|tuning|device|cache
// followed by |fill if the inputs are not uniform.
std::string key_of(const Case& what);

// Clears variant, tuning and device. The result is equal for all implementations of a problem.
Case problem_case(Case what);

// Returns a text that is equal for all tunings of a case.
std::string space_key_of(Case what);

// Formats extents as "100x37x53". A z extent of 1 is omitted.
std::string shape_text(const Extents& shape);

// Formats a value such as "256" or "double". Adds quotes if the text is empty or contains a blank, a comma or
// a quote: "\"-O3 -g\"".
std::string value_text(const TunedValue& value);

// Formats a tuning as "block_size=256 items_per_thread=4". Empty for no tuning.
std::string tuning_text(const Tuning& tuning);

// Return true if `value` equals a value that the user requested, as a number or as a text.
bool is_asked(const TunedValue& value, const TunedValue& asked);
bool is_asked(const TunedValue& value, const std::vector<TunedValue>& asked);

// Sets the texts of values in a tuning of `variant`, for tunables whose choices are texts.
void add_texts(const ChoiceTexts& texts, const std::string& variant, Tuning* tuning);

// Returns the programming model in a variant's name: "cuda" for "cuda.vector".
std::string model_of(const std::string& variant);

}  // namespace sextant
