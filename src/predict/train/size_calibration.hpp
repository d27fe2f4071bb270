// Calibrates the intervals of predictions for kernels that were measured at other sizes.
#pragma once

#include "predict/contests.hpp"
#include "predict/model.hpp"

namespace sextant::predict {

// Holds out sizes of `problems`, and predicts them from the remaining sizes. Holds out each decade in turn,
// and every third size in three folds. The constants and relations are those of `model`. Every case has the
// same weight.
Calibrations calibrate_sizes(const DataSet& data, const ProblemsByTarget& problems, const AdviceModel& model);

}  // namespace sextant::predict
