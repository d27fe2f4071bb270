// Fits the constants of the analytic model to measured times.
#pragma once

#include <cstddef>
#include <vector>

#include "predict/analytic_model.hpp"

namespace sextant::predict {

// A measured time to which the constants are fitted. The pointers must outlive the fit.
struct FitCase {
  const Form* form;
  const Profile* profile;
  Option option;
  Target target;
  std::size_t group = 0;  // number of the kernel's family, from 0
  double log_time = 0;    // logarithm of seconds
};

struct FitSettings {
  // Loss that moving a constant by a factor of e from its start must save. The loss is the mean error of log
  // times; each option and target has the same weight, and each family in it.
  double price = 0.003;
  // Largest number of cases of a family, machine, option and target. The others hardly tell more.
  std::size_t most_cases = 12;
};

// Fits by coordinate descent from the values of Constants. A constant keeps its value if moving it does not
// pay. Cases without a modelled time are left out.
Constants fitted_constants(const std::vector<FitCase>& cases, const FitSettings& settings);

}  // namespace sextant::predict
