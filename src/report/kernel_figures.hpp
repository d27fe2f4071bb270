// A kernel's figures over its sizes.
#pragma once

#include <string>

#include "report/report.hpp"

namespace sextant::report {

// Speed-up over serial and over the best CPU version, with transfers, rates beside ceilings, copies, threads
// per block: those for which something was measured. With the study's published figures where there are any.
std::string kernel_figures(const Context& context, const StudyGroup& group);

}  // namespace sextant::report
