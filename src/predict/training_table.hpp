// The training data of the boosted trees: features and residuals of the analytic model.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "predict/option.hpp"

namespace sextant::predict {

struct TrainingFeature {
  std::string name;
  bool trait = false;  // depends on a kernel's code and may be unknown; training hides it in some rows
  // Depends only on the machine. Trees do not use it, because it would identify the few measured machines.
  bool machine = false;
};

struct TrainingRow {
  Option option = Option::serial;
  Target target = Target::call;
  std::string group;   // family of kernels; a family is held out as a whole
  float weight = 1;    // weight within its group; all groups have the same total weight
  float residual = 0;  // log(measured time / time by the analytic model)
  // True if the options can be compared at its problem (is_contest). Users ask about such problems.
  bool choice = true;
};

struct TrainingTable {
  std::vector<TrainingFeature> features;
  std::vector<TrainingRow> rows;
  std::vector<float> values;  // the rows one after the other, with one value per feature; NaN: unknown

  std::span<const float> of(std::size_t row) const {
    return {values.data() + row * features.size(), features.size()};
  }
};

// Throws UserError, starting with `where`, if
// - the table has no rows or no features, or its number of values is wrong;
// - a feature's name has characters other than letters, digits, _ and ., or is a column that must not be a
//   feature (require_features);
// - a value is infinite, a residual is not finite, a weight is not above 0, or a row has no group.
void check(const TrainingTable& table, const std::string& where);

// Reads comma-separated text without quotes: a line of column names, then one line per row. The first five
// columns are option, target, group, weight and residual. The others are features; traits have the prefix
// "trait.". An empty field is unknown. Throws UserError with file and line.
TrainingTable read_training_table(const std::string& text, const std::string& where);

}  // namespace sextant::predict
