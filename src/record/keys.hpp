// Builds the texts that identify cases and their parts.
#pragma once

#include <string>
#include <vector>

#include "record/case.hpp"
#include "suite/choice_texts.hpp"

namespace sextant {

// Returns a text that is equal for equal cases; resuming and comparing rely on it. Its format is:
// kernel|variant|type|n or class|extents|parameters|tuning|device|cache
std::string key_of(const Case& what);

// Clears variant, tuning and device, so that all implementations of a problem yield the same case.
Case problem_case(Case what);

// Returns a text that is equal for cases that differ only in their tuning.
std::string space_key_of(Case what);

// Returns a text such as "100x37x53"; a z extent of 1 is omitted.
std::string shape_text(const Extents& shape);

// Returns a text such as "256" or "double". It is quoted if it is empty or contains a blank, a comma or a
// quote: "\"-O3 -g\"".
std::string value_text(const TunedValue& value);

// Returns a text such as "block_size=256 items_per_thread=4", or an empty text for no tuning.
std::string tuning_text(const Tuning& tuning);

// True if `value` equals a requested value, which the user gives as a number or as a text.
bool is_asked(const TunedValue& value, const TunedValue& asked);
bool is_asked(const TunedValue& value, const std::vector<TunedValue>& asked);

// Sets the texts of the values of `tuning`, which is a tuning of `variant`.
void add_texts(const ChoiceTexts& texts, const std::string& variant, Tuning* tuning);

// Returns the model in a variant's name: "cuda" for "cuda.vector".
std::string model_of(const std::string& variant);

}  // namespace sextant
