// Fits an advice model to measured problems.
#pragma once

#include "predict/contests.hpp"
#include "predict/model.hpp"
#include "predict/train/constants_fit.hpp"

namespace sextant::predict {

struct TrainingSettings {
  FitSettings fit;
  std::size_t folds = 8;  // in which families are held out, to calibrate intervals
  bool sizes = true;      // also calibrate intervals for kernels measured at other sizes
};

// Result of training for one option and target: root mean squares of log times, with equal weight for each
// family of kernels. `start`: with constants at their start. `held_out`: with constants fitted to other
// families.
struct TrainingReport {
  Option option;
  Target target;
  std::size_t rows = 0, families = 0;
  double start = 0, held_out = 0;
};

struct Training {
  AdviceModel model;
  std::vector<TrainingReport> reports;
};

// For each group: the index of the fold that holds it out. Groups go to the folds round-robin, the largest
// first.
std::vector<std::size_t> folds_of(const std::vector<std::size_t>& group_sizes, std::size_t folds);

// The cases of these problems to which constants are fitted, and whether the options can be compared at each
// (is_contest). On the CPU, an end-to-end time is a call time. Kernels without traits are left out.
struct TrainingCases {
  std::vector<FitCase> cases;
  std::vector<char> choice;           // by case
  std::vector<std::string> families;  // by group
};
TrainingCases cases_of(const DataSet& data, const ProblemsByTarget& problems);

// Fits a model to the problems. Intervals are calibrated on held-out families, with the problems at which the
// options can be compared or, if there are none, with all. The hardware of all machines of `data` is known.
Training taught_by(const DataSet& data, const ProblemsByTarget& problems, const TrainingSettings& settings);

// The hardware (hardware_of) of the data set's machines, without duplicates.
std::vector<std::string> hardware_of(const DataSet& data);

}  // namespace sextant::predict
