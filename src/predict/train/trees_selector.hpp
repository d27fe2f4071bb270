// Choosing by what is trained on what may be known.
#pragma once

#include "predict/evaluate.hpp"
#include "predict/train/training.hpp"

namespace sextant::predict {

// Physics and trees on its residual, and, for comparison, trees on log times themselves. Teaching throws UserError where
// nothing can be trained (why_no_training).
std::vector<Selector> trees_selectors(const TrainingSettings& settings);

// As `sextant advise` does: physics, trees, memory of what it was taught, and the least expected regret; it abstains
// above `risk`. The second one is told each contest's serial time, as if it had been measured first. Throws likewise.
std::vector<Selector> advice_selectors(const TrainingSettings& settings, double risk);

}  // namespace sextant::predict
