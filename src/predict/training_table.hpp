// What trees are trained from: features and what is left of measured log times once physics is taken off.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "predict/option.hpp"

namespace sextant::predict {

struct TrainingFeature {
  std::string name;
  bool trait = false;  // of a kernel's code, which may not be known: training hides it in some rows
  // Of the machine alone: trees do not split at it, as that would tell the few machines apart that were
  // measured.
  bool machine = false;
};

struct TrainingRow {
  Option option = Option::serial;
  Target target = Target::call;
  std::string group;   // the family, which is held out as a whole
  float weight = 1;    // within its group; each group counts the same in the end
  float residual = 0;  // log of the measured time over physics' time
  bool choice = true;  // of a problem at which there was a choice, as those are that advice is asked about
};

struct TrainingTable {
  std::vector<TrainingFeature> features;
  std::vector<TrainingRow> rows;
  std::vector<float> values;  // row after row, a value for each feature; NaN is not known

  std::span<const float> of(std::size_t row) const {
    return {values.data() + row * features.size(), features.size()};
  }
};

// Throws UserError, beginning with `where`, for a table without rows or features, of another number of
// values, with a feature whose name is not made of letters, digits, _ and . or is a column of the data set
// that is none (require_features), a value that is infinite, a residual that is no number, a weight that is
// not above 0 or a row without a group.
void check(const TrainingTable& table, const std::string& where);

// Comma-separated text, in which nothing is quoted: a line of names, then a line a row. The first five
// columns are option, target, group, weight and residual, the others features, traits with "trait." before
// the name; an empty field is not known. Throws UserError, beginning with `where` and the line.
TrainingTable read_training_table(const std::string& text, const std::string& where);

}  // namespace sextant::predict
