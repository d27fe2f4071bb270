// Selectors that choose an option by trained models.
#pragma once

#include "predict/evaluate.hpp"
#include "predict/train/training.hpp"

namespace sextant::predict {

// Returns four selectors; the last three share their training:
// - "trees on raw time": trees predict log times directly, for comparison;
// - "physics and trees": trees predict the residual of the analytic model;
// - "advice": like `sextant advise`, with history correction and the least expected regret; abstains if the
//   expected loss exceeds `risk`;
// - "advice, serial measured": the same, but it knows the measured serial time of each problem.
// Training them throws UserError if training is unavailable (why_no_training).
std::vector<Selector> trained_selectors(const TrainingSettings& settings, double risk);

}  // namespace sextant::predict
