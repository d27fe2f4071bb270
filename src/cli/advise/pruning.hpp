// Implements run --skip-hopeless, which leaves out cases that are expected to be slow.
#pragma once

#include <string>
#include <vector>

#include "predict/predictor.hpp"

namespace sextant {

// An option is left out for a problem if its expected time exceeds the time of the best option by this
// factor.
inline constexpr double pruned_from = 10;

struct PromisingCases {
  std::vector<Case> cases;         // The cases that remain, in their original order.
  std::vector<std::string> notes;  // Descriptions of the left-out cases, one for each kernel and option.
};

// Returns the cases whose option is not expected to be slow. An option is slow for a problem if its expected
// time exceeds that of the best option by the factor pruned_from. This must hold both with all copies and
// with the data already on the device. Three kinds of cases always stay: the variant serial.baseline, with
// which other cases are compared; variants for which `advise` has no option; and problems unlike the model's
// training data.
PromisingCases promising_cases(const predict::Predictor& predictor, const std::vector<Case>& cases);

}  // namespace sextant
