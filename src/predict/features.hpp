// What trees look at: a form, a profile and what physics makes of both. Numbers, never names.
#pragma once

#include <vector>

#include "predict/form.hpp"
#include "predict/profile.hpp"
#include "predict/training_table.hpp"

namespace sextant::predict {

// The form's and the profile's columns on logarithmic scales, these marked as the machine's; for each option
// the log of physics' time, and against serial's; of the call on the host and on the GPU how memory,
// arithmetic and launches share it. What depends on a form's traits is a trait.
std::vector<TrainingFeature> feature_list();

// A value for each of them; NaN is not known. Finite else.
std::vector<float> features_of(const Form& form, const Profile& profile, Target target);

// The same in parts: the values of a profile's columns, which are the same for all forms.
std::vector<float> features_of(const Profile& profile);
std::vector<float> features_of(const Form& form, const Profile& profile, Target target,
                               const std::vector<float>& of_profile);

}  // namespace sextant::predict
