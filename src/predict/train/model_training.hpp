// Trains an advice model from measured problems.
#pragma once

#include "predict/contests.hpp"
#include "predict/model.hpp"
#include "predict/train/training.hpp"

namespace sextant::predict {

// Training rows: for each measured option, the log of its time over the time by the analytic model. With
// `raw`, the log of its time. Options without a prediction by the analytic model are left out. On the CPU, a
// whole counts as a call.
TrainingTable table_of(const DataSet& data, Target target, const std::vector<Contest>& problems, bool raw);

// Training rows of both targets. CPU rows occur once, because a whole is a call there.
TrainingTable table_of(const DataSet& data, const ProblemsByTarget& problems);

// Training rows of all measured problems that trees learn from.
TrainingTable table_of(const DataSet& data);

// Model with the trees of a training. Its intervals come from held-out families, and only from problems with
// a choice if there are any, because questions concern such problems. Throws UserError like Trees::read.
AdviceModel model_of(const TrainingTable& table, const Training& training, std::vector<std::string> machines);

// Trains a model on problems, including intervals for other sizes. Stores the training in `training`.
AdviceModel taught_by(const DataSet& data, const ProblemsByTarget& problems, const TrainingSettings& settings,
                      Training* training);

// Settings that train the model of `sextant advise`.
TrainingSettings advice_settings();

// hardware_of the data set's machines, each once.
std::vector<std::string> hardware_of(const DataSet& data);

}  // namespace sextant::predict
