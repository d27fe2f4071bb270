// The fitted advice model: the constants of the analytic model, and calibrated error intervals.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "predict/constants.hpp"
#include "predict/history.hpp"
#include "predict/intervals.hpp"
#include "predict/option.hpp"

namespace sextant::predict {

using Calibrations = std::array<std::array<Calibration, target_count>, option_count>;

// Range of a property of kernels in the training data, as log2(1 + value).
struct FormRange {
  std::string name;  // of a FormColumn
  double low = 0, high = 0;
};

struct AdviceModel {
  std::vector<std::string> machines;  // hardware (hardware_of) of the machines in the training data
  Constants constants = {};
  std::vector<FormRange> ranges = {};
  // For kernels without measured cases: one calibration for each option (programming model and device) and
  // target (call or end-to-end time). 0 groups mean that there was no training data.
  Calibrations calibrations = {};
  // The same for kernels that other machines measured, too, calibrated on held-out sizes. The
  // difficulty of a case is the standard deviation that the history correction leaves.
  Calibrations of_sizes = {};
  // Correlations of errors for the history correction, one set for each target.
  std::array<Relation, target_count> relations = {};

  const Calibration& calibration(Option option, Target target) const {
    return calibrations[static_cast<std::size_t>(option)][static_cast<std::size_t>(target)];
  }
  const Calibration& of_size(Option option, Target target) const {
    return of_sizes[static_cast<std::size_t>(option)][static_cast<std::size_t>(target)];
  }
};

// Writes the model as text: a checksum, and a line for each machine, constant, range, calibration and
// relation.
std::string to_text(const AdviceModel& model);

// Throws UserError if the text is no model, is damaged, has another version, or if its constants are not
// those of this program. Messages start with `where`.
AdviceModel read_model(const std::string& text, const std::string& where);

}  // namespace sextant::predict
