// Figures of one kernel over its problem sizes.
#pragma once

#include <string>

#include "report/report.hpp"

namespace sextant::report {

// Draws speed-ups, rates with ceilings, and copy times, if they were measured. The reader can choose the
// baseline (serial or best CPU version) and whether copies count. Adds the values that the study published.
std::string kernel_figures(const Context& context, const StudyGroup& group);

// Draws histograms of the samples of every variant at each size, in a collapsed part of the page.
std::string kernel_samples(const Context& context, const StudyGroup& group);

}  // namespace sextant::report
