// run --skip-hopeless: leaves out cases that advice expects to be slow.
#pragma once

#include <string>
#include <vector>

#include "predict/predictor.hpp"

namespace sextant {

// An option is left out at a problem if its expected time exceeds that of the best option by this factor.
inline constexpr double hopeless_from = 10;

struct Hopeful {
  std::vector<Case> cases;         // Remaining cases in their order.
  std::vector<std::string> notes;  // Description of the left-out cases, by kernel and option.
};

// Returns `cases` without the options that are expected to exceed the best time of their problem by the
// factor hopeless_from. This must hold both for one call on data in place and for a call with all copies. The
// variant serial.baseline stays, because other cases are compared with it. Variants outside advice's options,
// and problems unlike the model's training data, also stay.
Hopeful without_hopeless(const predict::Predictor& predictor, const std::vector<Case>& cases);

}  // namespace sextant
