// Choosing by what is trained on what may be known.
#pragma once

#include "predict/evaluate.hpp"
#include "predict/train/training.hpp"

namespace sextant::predict {

// "trees on raw time" (log times themselves, for comparison); "physics and trees" (on the residual); and
// "advice", as `sextant advise` does: physics, trees, memory of what it was taught, and the least expected
// regret. It abstains above `risk`. "advice, serial measured" is told each contest's serial time, as if it
// had been measured first. The last three share what is trained. Teaching throws UserError where nothing can
// be trained (why_no_training).
std::vector<Selector> trained_selectors(const TrainingSettings& settings, double risk);

}  // namespace sextant::predict
