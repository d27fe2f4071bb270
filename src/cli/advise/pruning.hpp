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

// Returns the cases whose option is not expected to be slow. An option is left out if its expected time
// exceeds the best time of the problem by the factor pruned_from. This must hold both with all copies and on
// data in place. The variant serial.baseline stays, because other cases are compared with it. Variants for
// which `advise` has no option also stay, and so do problems unlike the model's training data.
PromisingCases promising_cases(const predict::Predictor& predictor, const std::vector<Case>& cases);

}  // namespace sextant
