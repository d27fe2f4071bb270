// Estimates the correlations of prediction errors that the history correction uses.
#pragma once

#include <array>

#include "predict/contests.hpp"
#include "predict/history.hpp"
#include "predict/trees.hpp"

namespace sextant::predict {

// Estimates the correlations for each target (call and end-to-end time) from the prediction errors at
// `problems`, with equal weight for each family of kernels. `lasting` is the part of an option's error that
// is equal at sizes a decade or more apart. `same_device` and `other_device` are correlations of two options'
// errors at one problem. The defaults of Relation have the weight of eight observed families.
std::array<Relation, target_count> relations_of(const DataSet& data, const ProblemsByTarget& problems,
                                                const Trees& trees);

}  // namespace sextant::predict
