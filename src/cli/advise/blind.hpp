// The report's map of advice: what the program's model says of problems, blind to how they were measured.
#pragma once

#include "report/report.hpp"

namespace sextant {

AskAdvice blind_advice();

}  // namespace sextant
