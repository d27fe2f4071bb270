// Functions shared by the readers and writers of other tuners' JSON files. Only the .cpp files of this folder
// include this header.
#pragma once

#include <optional>
#include <string>

#include "record/json.hpp"
#include "tuner/space_builder.hpp"

namespace sextant::tuner {

// Keys are sorted, so they are found quickly; a cache has one key per point.
using Unordered = nlohmann::json;

// Parses JSON. Throws UserError if the nesting is so deep that the text could not be written again. Throws
// the JSON library's error for invalid text. Texts from Python may contain NaN and Infinity, which JSON does
// not have. Call without_python_numbers first to replace them by null.
template <typename Any>
Any parsed(const std::string& text);

std::string without_python_numbers(const std::string& text);

// Writes JSON as one line. Bytes that are not UTF-8 become U+FFFD.
template <typename Any>
std::string dumped(const Any& json) {
  return json.dump(-1, ' ', false, Any::error_handler_t::replace);
}

// Reads a measured value: a number, a text that contains a number, or the median of a list of numbers. Empty
// for anything else. Also empty for numbers of at least `no_time`, which tools write for missing values.
std::optional<double> measured(const Unordered& value);

// A point whose objective (the compared quantity) is `value` × `scale`. Without a value, the point counts as
// failed.
RecordedPoint point_of(std::optional<double> value, double scale, const RecordedObjective& objective,
                       std::string source);
RecordedPoint failed_point(Status status, const std::string& reason, std::string source);

// Converts seconds to milliseconds, rounded to the digits that the conversion preserves.
double milliseconds(double seconds);

// A JSON object with the value of one point on each axis (tunable).
Json configuration_of(const RecordedSpace& recorded, std::size_t point);

// Calls `read` and converts every error to a UserError that names the file.
template <typename Read>
auto reading_file(const std::string& name, const char* what, Read&& read) {
  try {
    return read();
  } catch (const Json::exception& error) {
    throw UserError(name + ": is not a " + what + ": " + error.what());
  } catch (const UserError& error) {
    const std::string message = error.what();
    throw UserError(message.starts_with(name) ? message : name + ": " + message);
  }
}

}  // namespace sextant::tuner
