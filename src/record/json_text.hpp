// Cases and measurements as JSON text: the worker protocol, --json output and tests share it.
#pragma once

#include <string>

#include "record/measurement.hpp"

namespace sextant {

std::string to_json(const Case& what);
Case case_from_json(const std::string& text);
std::string to_json(const Measurement& measurement);  // all samples included
Measurement measurement_from_json(const std::string& text);

}  // namespace sextant
