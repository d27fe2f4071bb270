// The input of the trees: properties of the kernel (form) and of the machine (profile), and quantities that
// the analytic model derives from both. Features are numbers, never names.
#pragma once

#include <vector>

#include "predict/form.hpp"
#include "predict/profile.hpp"
#include "predict/training_table.hpp"

namespace sextant::predict {

// Names of all features:
// - all columns of form and profile, on logarithmic scales; profile columns are marked as machine features;
// - the log of each option's time by the analytic model, and its ratio to the serial time;
// - fractions of memory, arithmetic and launches in the time of an OpenMP call and of a CUDA call.
// Features that depend on a form's traits (code-dependent properties) are marked as traits.
std::vector<TrainingFeature> feature_list();

// One value per feature; NaN if it is unknown.
std::vector<float> features_of(const Form& form, const Profile& profile, Target target);

// Computes the features in two steps. The first function computes the values that depend only on the profile
// (the machine), once for all kernels.
std::vector<float> features_of(const Profile& profile);
std::vector<float> features_of(const Form& form, const Profile& profile, Target target,
                               const std::vector<float>& of_profile);

}  // namespace sextant::predict
