// Trains an advice model from measured problems.
#pragma once

#include "predict/contests.hpp"
#include "predict/model.hpp"
#include "predict/train/training.hpp"

namespace sextant::predict {

// Training rows for one target. The value of a row is the log of an option's measured time over its time by
// the analytic model; with `raw`, the log of the measured time. Options without an analytic prediction are
// left out. On the CPU, an end-to-end time is a call time.
TrainingTable table_of(const DataSet& data, Target target, const std::vector<Contest>& problems, bool raw);

// Training rows for both targets. CPU rows occur only once, because both times are equal on the CPU.
TrainingTable table_of(const DataSet& data, const ProblemsByTarget& problems);

// Training rows of all measured problems, as `sextant train` uses them.
TrainingTable table_of(const DataSet& data);

// A model with the trees in `training` and intervals calibrated on held-out families. The calibration uses
// only problems at which the options can be compared (is_contest), or all problems if there are none. Throws
// UserError in the same cases as Trees::read.
AdviceModel model_of(const TrainingTable& table, const Training& training, std::vector<std::string> machines);

// Trains a model on the problems. Stores details of the training in `training`. If `settings.sizes` is set,
// also calibrates intervals for kernels measured at other sizes.
AdviceModel taught_by(const DataSet& data, const ProblemsByTarget& problems, const TrainingSettings& settings,
                      Training* training);

// The settings with which the model of `sextant advise` is trained.
TrainingSettings advice_settings();

// The hardware (hardware_of) of the data set's machines, without duplicates.
std::vector<std::string> hardware_of(const DataSet& data);

}  // namespace sextant::predict
