// Fits the constants of user kernels, which state no traits.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "predict/contests.hpp"
#include "predict/model.hpp"

namespace sextant::predict {

// Fits the constants of kind `of_user_kernels` to the problems of kernels without traits. Each kernel has the
// same weight. Constants that fewer than nine kernels tell stay as they are. The other parts of the model
// must be fitted.
void fit_user_kernels(const DataSet& data, const ProblemsByTarget& problems, AdviceModel* model);

// By kernel: the model whose constants of user kernels are fitted to the kernels of other folds.
std::map<std::string, std::shared_ptr<const AdviceModel>> held_out_models(const DataSet& data,
                                                                          const AdviceModel& model);

}  // namespace sextant::predict
