// The trained model: trees that correct the analytic model, and calibrations of the errors.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "predict/intervals.hpp"
#include "predict/memory.hpp"
#include "predict/trees.hpp"

namespace sextant::predict {

using Calibrations = std::array<std::array<Calibration, target_count>, option_count>;

struct AdviceModel {
  std::vector<std::string> machines;  // hardware_of the machines in the training set
  Trees trees;
  // For kernels without measured cases, by option and target. No groups: nothing was learnt.
  Calibrations calibrations;
  // For kernels measured at other sizes or on other machines, in units of the deviation that the history
  // correction leaves. Calibrated on held-out sizes.
  Calibrations of_sizes = {};
  // Correlations of errors for the history correction, by target.
  std::array<Relation, target_count> relations = {};

  const Calibration& calibration(Option option, Target target) const {
    return calibrations[static_cast<std::size_t>(option)][static_cast<std::size_t>(target)];
  }
  const Calibration& of_size(Option option, Target target) const {
    return of_sizes[static_cast<std::size_t>(option)][static_cast<std::size_t>(target)];
  }
};

// A few lines of text, the trees in compact form, and a checksum of everything.
std::string to_text(const AdviceModel& model);

// Throws UserError, starting with `where`, if the file is no model, is damaged or has another version. Also
// throws if the trees use other features than feature_list.
AdviceModel read_model(const std::string& text, const std::string& where);

}  // namespace sextant::predict
