// Cases, measurements, descriptions and their like as JSON values. Only for .cpp files: everyone else uses
// the text of json_text.hpp. Infinities and NaN, which JSON lacks, are the strings "inf", "-inf" and "nan".
#pragma once

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "record/description.hpp"
#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

using Json = nlohmann::ordered_json;  // keeps a tuning in the variant's order

Json json_of(double value);
Json json_of(const std::vector<double>& values);
Json json_of(const Case& what);
Json json_of(const Measurement& measurement);
Json json_of(const Ceiling& ceiling);
Json json_of(const KernelDescription& description);

// Runs `read` on JSON of another program or version: its complaints become a UserError that says what is
// being read.
template <typename Read>
auto reading(const char* what, Read&& read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& error) {
    throw UserError(std::string("this is not a ") + what + " in JSON: " + error.what());
  }
}

// Throw UserError naming the field that is missing or of another type.
double number_from(const Json& json);
Case case_from(const Json& json);
Measurement measurement_from(const Json& json);
Ceiling ceiling_from(const Json& json);
KernelDescription description_from(const Json& json);

// One line without a line break; bytes that are no UTF-8 become U+FFFD.
std::string text_of(const Json& json);
// Throws UserError.
Json parse_json(const std::string& text);

}  // namespace sextant
