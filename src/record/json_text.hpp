// Converts cases, measurements and descriptions to and from JSON text, for the worker protocol, the results
// file, --json output and tests.
#pragma once

#include <string>

#include "record/description.hpp"
#include "record/measurement.hpp"
#include "record/search.hpp"

namespace sextant {

std::string to_json(const Case& what);
std::string to_json(const Measurement& measurement);  // includes all samples
std::string to_json(const KernelDescription& description);
// Converts all fields except the steps and the session.
std::string to_json(const Search& search);
Search search_from_json(const std::string& text);
std::string to_json(const Tuning& tuning);
Tuning tuning_from_json(const std::string& text);
KernelDescription description_from_json(const std::string& text);  // throws UserError

}  // namespace sextant
