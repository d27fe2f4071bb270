// A kernel's figures over its sizes.
#pragma once

#include <string>

#include "report/report.hpp"

namespace sextant::report {

// Speed-ups (over serial or the best CPU version, without or with copies, at the reader's choice), rates
// beside ceilings, copies: those for which something was measured. With the study's published figures where
// there are any.
std::string kernel_figures(const Context& context, const StudyGroup& group);

// The samples of the best of each model at each size, folded.
std::string kernel_samples(const Context& context, const StudyGroup& group);

}  // namespace sextant::report
