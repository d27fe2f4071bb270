// Trains an advice model from measured problems.
#pragma once

#include "predict/contests.hpp"
#include "predict/model.hpp"
#include "predict/train/training.hpp"

namespace sextant::predict {

// Training rows for one target (call time or end-to-end time). Each row has the log of an option's measured
// time over its time by the analytic model. With `raw`, it has the log of the measured time. Options without
// a prediction by the analytic model are left out. On the CPU, an end-to-end time is a call time.
TrainingTable table_of(const DataSet& data, Target target, const std::vector<Contest>& problems, bool raw);

// Training rows for both targets (call time and end-to-end time). CPU rows occur only once, because both
// times are equal there.
TrainingTable table_of(const DataSet& data, const ProblemsByTarget& problems);

// Training rows of all measured problems that trees learn from.
TrainingTable table_of(const DataSet& data);

// A model with the trees in `training`. Its intervals come from held-out families. They use only problems at
// which the options can be compared (is_contest), because users ask about such problems; if there are none,
// they use all problems. Throws UserError in the same cases as Trees::read.
AdviceModel model_of(const TrainingTable& table, const Training& training, std::vector<std::string> machines);

// Trains a model on the problems, including intervals for kernels measured at other sizes. Stores the result
// of training in `training`.
AdviceModel taught_by(const DataSet& data, const ProblemsByTarget& problems, const TrainingSettings& settings,
                      Training* training);

// The settings with which the model of `sextant advise` is trained.
TrainingSettings advice_settings();

// The hardware (hardware_of) of the data set's machines, without duplicates.
std::vector<std::string> hardware_of(const DataSet& data);

}  // namespace sextant::predict
