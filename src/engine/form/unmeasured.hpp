// Creates the measurement of a case that was not timed, and the timestamp of every measurement.
#pragma once

#include <cstdint>
#include <string>

#include "record/measurement.hpp"

namespace sextant {

// Returns the current time in ISO 8601, UTC, to the second.
std::string timestamp_now();

Measurement unmeasured(const Case& what, Status status, std::string reason, std::uint64_t seed = 0);

}  // namespace sextant
