// Adds the built-in model's choices to the advice map of the report. The model chooses without knowing the
// measured times of the problems.
#pragma once

#include "report/report.hpp"

namespace sextant {

AskAdvice blind_advice();

}  // namespace sextant
