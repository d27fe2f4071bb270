// Cases, measurements, settings and their like as JSON values. Only for .cpp files: everyone else uses the
// text of serialise.hpp. Infinities and NaN, which JSON lacks, are the strings "inf", "-inf" and "nan".
#pragma once

#include <nlohmann/json.hpp>

#include "engine/executor.hpp"

namespace sextant {

using Json = nlohmann::ordered_json;  // keeps a tuning in the variant's order

Json json_of(double value);
Json json_of(const std::vector<double>& values);
Json json_of(const Case& what);
Json json_of(const Measurement& measurement);
Json json_of(const Settings& settings);
Json json_of(const Ceiling& ceiling);

// Throw UserError naming the field that is missing or of another type.
double number_from(const Json& json);
Case case_from(const Json& json);
Measurement measurement_from(const Json& json);
Settings settings_from(const Json& json);
Ceiling ceiling_from(const Json& json);

// One line without a line break; bytes that are no UTF-8 become U+FFFD.
std::string text_of(const Json& json);
// Throws UserError.
Json parse_json(const std::string& text);

}  // namespace sextant
