// Figures of one kernel over its problem sizes.
#pragma once

#include <string>

#include "report/report.hpp"

namespace sextant::report {

// Figures of speed-ups, rates with ceilings, and copies, as far as they were measured. The reader can choose
// the reference (serial or best CPU version), and whether copies count. The study's published values are
// added if there are any.
std::string kernel_figures(const Context& context, const StudyGroup& group);

// Histograms of the samples of every variant at each size, in a part of the page that is collapsed at first.
std::string kernel_samples(const Context& context, const StudyGroup& group);

}  // namespace sextant::report
