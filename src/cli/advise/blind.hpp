// Fills the advice map of the report with the choices of the built-in model. The model chooses without
// knowing the measured times of the problems.
#pragma once

#include "report/report.hpp"

namespace sextant {

AskAdvice blind_advice();

}  // namespace sextant
