// Estimates the correlations of prediction errors that the history correction uses.
#pragma once

#include <array>

#include "predict/analytic_model.hpp"
#include "predict/contests.hpp"
#include "predict/history.hpp"

namespace sextant::predict {

// Estimates the correlations for each target from the prediction errors at `problems`. Each family of kernels
// has the same weight. The defaults of Relation count as eight observed families.
std::array<Relation, target_count> relations_of(const DataSet& data, const ProblemsByTarget& problems,
                                                const AnalyticModel& analytic);

}  // namespace sextant::predict
