// Helpers of the readers and writers of other tuners' JSON files. Include it only in this folder's .cpp
// files.
#pragma once

#include <optional>
#include <string>

#include "record/json.hpp"
#include "tuner/space_builder.hpp"

namespace sextant::tuner {

// Sorts keys, so that lookups in large files are fast.
using Unordered = nlohmann::json;

// Parses JSON. Throws UserError for too deep nesting, and the JSON library's error for invalid text. For
// texts from Python, call without_python_numbers first: it replaces NaN and Infinity, which are not valid
// JSON, by null.
template <typename Any>
Any parsed(const std::string& text);

std::string without_python_numbers(const std::string& text);

// Writes JSON as one line. Invalid UTF-8 becomes U+FFFD.
template <typename Any>
std::string dumped(const Any& json) {
  return json.dump(-1, ' ', false, Any::error_handler_t::replace);
}

// Reads a measured value: a number, a text that contains a number, or the median of a list of numbers. Empty
// for anything else and for numbers of at least `no_time`, which tools write for missing values.
std::optional<double> measured(const Unordered& value);

// A point whose objective (the minimized or maximized quantity) is `value` × `scale`. Without a value, the
// point counts as failed.
RecordedPoint point_of(std::optional<double> value, double scale, const RecordedObjective& objective,
                       std::string source);
RecordedPoint failed_point(Status status, const std::string& reason, std::string source);

// Converts seconds to milliseconds, rounded to 15 significant digits.
double milliseconds(double seconds);

// A JSON object with the point's value of each tunable (axis).
Json configuration_of(const RecordedSpace& recorded, std::size_t point);

// Calls `read` and converts every error to a UserError that names the file.
template <typename Read>
auto reading_file(const std::string& name, const char* what, Read&& read) {
  try {
    return read();
  } catch (const Json::exception& error) {
    throw UserError(name + " is not a " + what + ": " + error.what());
  } catch (const UserError& error) {
    const std::string message = error.what();
    throw UserError(message.starts_with(name) ? message : name + ": " + message);
  }
}

}  // namespace sextant::tuner
