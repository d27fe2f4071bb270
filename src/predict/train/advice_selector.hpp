// Selectors that choose an option by fitted models.
#pragma once

#include "predict/evaluate.hpp"
#include "predict/train/model_training.hpp"

namespace sextant::predict {

// Returns three selectors, which share their training:
// - "physics, fitted": the least time by the analytic model with constants fitted to the training part;
// - "advice": like `sextant advise`, with history correction and the least expected regret; abstains if the
//   expected loss exceeds `risk`;
// - "advice, serial measured": the same, but it knows the measured serial time of each problem.
std::vector<Selector> trained_selectors(const TrainingSettings& settings, double risk);

}  // namespace sextant::predict
