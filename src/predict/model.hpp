// What is known before anything was measured here: trees on what physics leaves over, and how far they err.
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
  std::vector<std::string> machines;  // whose measurements taught it, as hardware_of names them
  Trees trees;
  Calibrations calibrations;  // of kernels of which nothing is known; by option and target; no groups:
                              // nothing was learnt of it
  // Of kernels that are remembered at other sizes or on other machines, in deviations that memory leaves;
  // taken at sizes held out.
  Calibrations of_sizes = {};
  std::array<Relation, target_count> relations = {};  // of errors, by target: what memory corrects by

  const Calibration& calibration(Option option, Target target) const {
    return calibrations[static_cast<std::size_t>(option)][static_cast<std::size_t>(target)];
  }
  const Calibration& of_size(Option option, Target target) const {
    return of_sizes[static_cast<std::size_t>(option)][static_cast<std::size_t>(target)];
  }
};

// A few lines of text, the trees in their compact form, and a checksum of all.
std::string to_text(const AdviceModel& model);

// Throws UserError, beginning with `where`, for a file that is no model, damaged, of another version, or with
// trees that look at other features than feature_list.
AdviceModel read_model(const std::string& text, const std::string& where);

}  // namespace sextant::predict
