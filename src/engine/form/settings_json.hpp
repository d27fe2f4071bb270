// The JSON of the protocol between parent and workers: settings and answers.
#pragma once

#include "engine/form/settings.hpp"
#include "record/json.hpp"

namespace sextant {

Json json_of(const Settings& settings);
// Throws a UserError that names the missing or mistyped field.
Settings settings_from(const Json& json);
// Parses a line that a worker sent. Throws UserError, which says what the user can do, for invalid text.
Json answer_in(const std::string& line);

}  // namespace sextant
