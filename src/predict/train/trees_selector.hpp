// Choosing by trees that are trained on what may be known.
#pragma once

#include "predict/evaluate.hpp"
#include "predict/train/training.hpp"

namespace sextant::predict {

// Rows of contests as trees learn them: for each option that was measured the log of its time over physics', or, with
// `raw`, the log of its time. Options of which physics says nothing are left out.
TrainingTable table_of(const DataSet& data, Target target, const std::vector<Contest>& contests, bool raw);

// Physics and trees on its residual, and, for comparison, trees on log times themselves. Teaching throws UserError where
// nothing can be trained (why_no_training).
std::vector<Selector> trees_selectors(const TrainingSettings& settings);

}  // namespace sextant::predict
