// From measured problems to a model of advice.
#pragma once

#include "predict/contests.hpp"
#include "predict/model.hpp"
#include "predict/train/training.hpp"

namespace sextant::predict {

// Rows of problems as trees learn them: for each option that was measured the log of its time over physics',
// or, with `raw`, the log of its time. Options of which physics says nothing are left out. On the CPU a whole
// is learnt as a call.
TrainingTable table_of(const DataSet& data, Target target, const std::vector<Contest>& problems, bool raw);

// The rows of problems for both targets; those on the CPU, of which a whole is a call, once.
TrainingTable table_of(const DataSet& data, const ProblemsByTarget& problems);

// The rows of what trees learn from of all that was measured.
TrainingTable table_of(const DataSet& data);

// The trees of a training, with the intervals that its held-out families bear out at problems with a choice,
// if there are any: those are asked about. Throws UserError as Trees::read.
AdviceModel model_of(const TrainingTable& table, const Training& training, std::vector<std::string> machines);

// The model that problems teach, with intervals of other sizes, too; and the training behind it.
AdviceModel taught_by(const DataSet& data, const ProblemsByTarget& problems, const TrainingSettings& settings,
                      Training* training);

// How the model of `sextant advise` is trained.
TrainingSettings advice_settings();

// hardware_of the data set's machines, each once.
std::vector<std::string> hardware_of(const DataSet& data);

}  // namespace sextant::predict
