// Texts that identify cases and their parts.
#pragma once

#include <string>

#include "record/case.hpp"

namespace sextant {

// A text that identifies the case: equal for equal cases, used for resuming and comparing.
// kernel|variant|type|n or class|extents|parameters|tuning|device|cache
std::string key_of(const Case& what);

// The same of all cases that differ in their tuning alone.
std::string space_key_of(Case what);

// "100x37x53"; a z of 1 is left out.
std::string shape_text(const Extents& shape);

// "block_size=256 items_per_thread=4"; empty for none.
std::string tuning_text(const Tuning& tuning);

// The model of a variant's name: "cuda" of "cuda.vector".
std::string model_of(const std::string& variant);

}  // namespace sextant
