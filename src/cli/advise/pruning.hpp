// run --skip-hopeless: leaves out cases that are expected to be slow.
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

// Returns `cases` without the options whose expected time exceeds the best time of their problem by the
// factor pruned_from. This must hold both for a call on data in place and for a call with all copies. The
// variant serial.baseline stays, because other cases are compared with it. Variants for which `advise` has no
// option, and problems unlike the model's training data, also stay.
PromisingCases promising_cases(const predict::Predictor& predictor, const std::vector<Case>& cases);

}  // namespace sextant
