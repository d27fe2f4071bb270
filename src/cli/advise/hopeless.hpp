// run --skip-hopeless: cases that are not worth measuring, by what advice expects.
#pragma once

#include <string>
#include <vector>

#include "predict/predictor.hpp"

namespace sextant {

// An option is hopeless on a problem where its expected time is above this many times that of the best
// option.
inline constexpr double hopeless_from = 10;

struct Hopeful {
  std::vector<Case> cases;         // in their order
  std::vector<std::string> notes;  // what was left out, by kernel and option; empty: nothing
};

// `cases` without those of hopeless options: expected to take more than hopeless_from times as long as the
// best of the problem's options, both for one call on data that lie where it wants them and with all copies.
// What others are compared with stays (serial.baseline), and so does what advice has no option for, and forms
// outside of what its model learnt.
Hopeful without_hopeless(const predict::Predictor& predictor, const std::vector<Case>& cases);

}  // namespace sextant
