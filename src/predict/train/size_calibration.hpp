// Calibrates predictions for kernels that were measured at other sizes.
#pragma once

#include "predict/model.hpp"
#include "predict/train/model_training.hpp"

namespace sextant::predict {

// Holds out sizes of `problems` and predicts them by trees and cases that exclude these sizes. Each decade is
// held out once, and each third of the sizes. The numbers of trees come from `training`. Every case has the
// same weight, because questions concern other sizes of the same kernels.
Calibrations calibrate_sizes(const DataSet& data, const ProblemsByTarget& problems,
                             const TrainingSettings& settings, const Training& training,
                             const std::array<Relation, target_count>& relations);

}  // namespace sextant::predict
