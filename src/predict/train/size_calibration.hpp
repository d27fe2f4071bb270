// How far predictions err for kernels that are remembered at other sizes.
#pragma once

#include "predict/model.hpp"
#include "predict/train/model_training.hpp"

namespace sextant::predict {

// Calibrations of sizes held out of `problems`, a decade at a time as the split of that name does, or every
// third: each is predicted by trees and a memory that saw nothing of it, the trees as many as `training` came
// to, the memory by `relations`. Every case counts the same, since it is other sizes of the same kernels that
// are asked about.
Calibrations calibrate_sizes(const DataSet& data, const ProblemsByTarget& problems,
                             const TrainingSettings& settings, const Training& training,
                             const std::array<Relation, target_count>& relations);

}  // namespace sextant::predict
