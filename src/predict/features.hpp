// Input of the trees: a form, a profile, and what the analytic model derives from both. Features are numbers,
// never names.
#pragma once

#include <vector>

#include "predict/form.hpp"
#include "predict/profile.hpp"
#include "predict/training_table.hpp"

namespace sextant::predict {

// Names of all features:
// - columns of form and profile on logarithmic scales; profile columns are marked as machine features;
// - log of each option's time by the analytic model, and its ratio to serial;
// - shares of memory, arithmetic and launches in an OpenMP call and in a CUDA call.
// Features that depend on a form's traits are marked as traits.
std::vector<TrainingFeature> feature_list();

// One finite value per feature; NaN if it is unknown.
std::vector<float> features_of(const Form& form, const Profile& profile, Target target);

// The same in two steps. The first step computes the profile's values, which are the same for all forms.
std::vector<float> features_of(const Profile& profile);
std::vector<float> features_of(const Form& form, const Profile& profile, Target target,
                               const std::vector<float>& of_profile);

}  // namespace sextant::predict
