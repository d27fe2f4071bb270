// Texts that identify cases and their parts.
#pragma once

#include <string>
#include <vector>

#include "record/case.hpp"
#include "suite/choice_texts.hpp"

namespace sextant {

// A text that identifies the case: equal for equal cases, used for resuming and comparing.
// kernel|variant|type|n or class|extents|parameters|tuning|device|cache
std::string key_of(const Case& what);

// The case without what implements it: variant, tuning and device.
Case problem_case(Case what);

// The same text of all cases that differ in their tuning alone.
std::string space_key_of(Case what);

// "100x37x53"; a z of 1 is left out.
std::string shape_text(const Extents& shape);

// "256", "double"; in quotes where it is empty or has a blank, a comma or a quote: "\"-O3 -g\"".
std::string value_text(const TunedValue& value);

// "block_size=256 items_per_thread=4"; empty for none.
std::string tuning_text(const Tuning& tuning);

// Whether `value` is what somebody asks for, by a number or by a text.
bool is_asked(const TunedValue& value, const TunedValue& asked);
bool is_asked(const TunedValue& value, const std::vector<TunedValue>& asked);

// Gives the values of `tuning`, a tuning of `variant`, the texts they stand for.
void add_texts(const ChoiceTexts& texts, const std::string& variant, Tuning* tuning);

// The model of a variant's name: "cuda" of "cuda.vector".
std::string model_of(const std::string& variant);

}  // namespace sextant
