// Converts cases, measurements and descriptions to and from JSON values. Only .cpp files include this header;
// other code uses the text functions of json_text.hpp. JSON lacks infinity and NaN, so they become the
// strings "inf", "-inf" and "nan".
#pragma once

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "record/description.hpp"
#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

// keeps the order of keys, because the order of tunables matters
using Json = nlohmann::ordered_json;

Json json_of(double value);
Json json_of(const std::vector<double>& values);
Json json_of(const Case& what);
Json json_of(const Measurement& measurement);
Json json_of(const Ceiling& ceiling);
Json json_of(const KernelDescription& description);

// Calls `read` to parse JSON from another program or version. Turns JSON exceptions into a UserError that
// names the kind of record, `what`.
template <typename Read>
auto reading(const char* what, Read&& read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& error) {
    throw UserError(std::string("this is not a ") + what + " in JSON: " + error.what());
  }
}

// Each function throws a UserError that names the field which is missing or has the wrong type.
double number_from(const Json& json);
Case case_from(const Json& json);
Measurement measurement_from(const Json& json);
Ceiling ceiling_from(const Json& json);
KernelDescription description_from(const Json& json);

// Returns the JSON text without line breaks. Bytes that are not valid UTF-8 become U+FFFD.
std::string text_of(const Json& json);
// Throws UserError if `text` is not valid JSON.
Json parse_json(const std::string& text);

}  // namespace sextant
