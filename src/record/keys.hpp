// Builds texts that identify cases, problems and tunings.
#pragma once

#include <string>
#include <vector>

#include "record/case.hpp"
#include "suite/choice_texts.hpp"

namespace sextant {

// Returns a text that is equal for equal cases. Continuing a run and comparing files rely on it. Its format
// is:
// kernel|variant|type|n or class|extents|parameters|tuning|device|cache
std::string key_of(const Case& what);

// Clears variant, tuning and device, so that all implementations of a problem yield the same case.
Case problem_case(Case what);

// Returns a text that is equal for cases that differ only in their tuning.
std::string space_key_of(Case what);

// Returns a text such as "100x37x53"; a z extent of 1 is omitted.
std::string shape_text(const Extents& shape);

// Returns the value as text, such as "256" or "double". The text is quoted if it is empty or contains a
// blank, a comma or a quote: "\"-O3 -g\"".
std::string value_text(const TunedValue& value);

// Returns a text such as "block_size=256 items_per_thread=4", or an empty text for no tuning.
std::string tuning_text(const Tuning& tuning);

// Returns true if `value` equals the value that the user requested as a number or as a text, or one of
// several such values.
bool is_asked(const TunedValue& value, const TunedValue& asked);
bool is_asked(const TunedValue& value, const std::vector<TunedValue>& asked);

// Sets the text of each value in `tuning`, a tuning of `variant`, whose choices are texts.
void add_texts(const ChoiceTexts& texts, const std::string& variant, Tuning* tuning);

// Returns the programming model in a variant's name: "cuda" for "cuda.vector".
std::string model_of(const std::string& variant);

}  // namespace sextant
