// The settings of a run as JSON values, for the workers' protocol.
#pragma once

#include "engine/form/settings.hpp"
#include "record/json.hpp"

namespace sextant {

Json json_of(const Settings& settings);
// Throws UserError naming the field that is missing or of another type.
Settings settings_from(const Json& json);

}  // namespace sextant
