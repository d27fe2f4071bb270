// The input features of the tree ensemble: properties of the kernel (form) and of the machine (profile), and
// times that the analytic model predicts from both.
#pragma once

#include <vector>

#include "predict/form.hpp"
#include "predict/profile.hpp"
#include "predict/training_table.hpp"

namespace sextant::predict {

// Names of all features:
// - kernel properties (form) and machine properties (profile), on logarithmic scales;
// - the log of each option's time by the analytic model, and of its ratio to the serial time;
// - fractions of memory, arithmetic and launches in the time of an OpenMP call and of a CUDA call.
// Features that depend on the kernel's code are marked as traits.
std::vector<TrainingFeature> feature_list();

// One value per feature; NaN if it is unknown.
std::vector<float> features_of(const Form& form, const Profile& profile, Target target);

// The same in two steps: the first function computes the machine's features once for all kernels.
std::vector<float> features_of(const Profile& profile);
std::vector<float> features_of(const Form& form, const Profile& profile, Target target,
                               const std::vector<float>& of_profile);

}  // namespace sextant::predict
