// Calibrates the intervals of predictions for kernels that were measured at other sizes.
#pragma once

#include "predict/model.hpp"
#include "predict/train/model_training.hpp"

namespace sextant::predict {

// Holds out sizes of `problems`, and predicts them from the remaining sizes. Holds out each decade in turn,
// and every third size in three folds. The numbers of trees come from `training`; the history correction uses
// `relations`. Every case has the same weight.
Calibrations calibrate_sizes(const DataSet& data, const ProblemsByTarget& problems,
                             const TrainingSettings& settings, const Training& training,
                             const std::array<Relation, target_count>& relations);

}  // namespace sextant::predict
