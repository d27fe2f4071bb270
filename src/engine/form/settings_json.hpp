// Converts Settings to and from JSON, for the protocol between parent and workers.
#pragma once

#include "engine/form/settings.hpp"
#include "record/json.hpp"

namespace sextant {

Json json_of(const Settings& settings);
// Throws a UserError that names the missing or mistyped field.
Settings settings_from(const Json& json);

}  // namespace sextant
