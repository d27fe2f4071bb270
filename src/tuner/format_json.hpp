// Shared functions for the readers and writers of other tuners' JSON files. Only for .cpp files of this
// folder.
#pragma once

#include <optional>
#include <string>

#include "record/json.hpp"
#include "tuner/space_builder.hpp"

namespace sextant::tuner {

using Unordered = nlohmann::json;  // finds keys quickly; a cache has one entry per point

// Parses JSON. Throws UserError if it nests too deeply to be written again, and the JSON library's error for
// invalid text. Call without_python_numbers first for texts from Python: it replaces NaN and Infinity, which
// JSON lacks, by null.
template <typename Any>
Any parsed(const std::string& text);

std::string without_python_numbers(const std::string& text);

// One line; bytes that are not UTF-8 become U+FFFD.
template <typename Any>
std::string dumped(const Any& json) {
  return json.dump(-1, ' ', false, Any::error_handler_t::replace);
}

// A measured value: a number, a text that is a number, or the median of a list of numbers. Empty for anything
// else, and for numbers from `no_time` on, which tools write for missing values.
std::optional<double> measured(const Unordered& value);

// A point whose objective is `value` × `scale`. It is a failed point if there is no value.
RecordedPoint point_of(std::optional<double> value, double scale, const RecordedObjective& objective,
                       std::string source);
RecordedPoint failed_point(Status status, const std::string& reason, std::string source);

// Seconds as milliseconds, rounded to the digits that a conversion preserves.
double milliseconds(double seconds);

// The value of one point on each axis.
Json configuration_of(const RecordedSpace& recorded, std::size_t point);

// Runs `read` and converts every error to a UserError that names the file.
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
