#include "predict/features.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "predict/analytic_model.hpp"

namespace sextant::predict {
namespace {

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

class FeatureValues {
 public:
  explicit FeatureValues(std::size_t expected = 0) { values_.reserve(expected); }
  void add(double value) {
    const auto narrow = static_cast<float>(value);
    values_.push_back(std::isfinite(narrow) ? narrow : std::numeric_limits<float>::quiet_NaN());
  }
  void add_log(double value) { add(value > 0 ? std::log2(value) : not_given); }
  std::vector<float> taken() { return std::move(values_); }

 private:
  std::vector<float> values_;
};

constexpr Option shared_calls[] = {Option::openmp, Option::cuda};

// The columns of a machine's profile that affect calls, without the costs of a library's first use.
std::vector<ProfileColumn> columns_of_calls(const Profile& profile) {
  std::vector<ProfileColumn> columns = profile_columns(profile);
  std::erase_if(columns, [](const ProfileColumn& column) { return column.name.starts_with("first_use_"); });
  return columns;
}

}  // namespace

std::vector<TrainingFeature> feature_list() {
  std::vector<TrainingFeature> features;
  // The default form has unknown traits (code-dependent properties), so columns that depend on them are NaN.
  for (const FormColumn& column : form_columns())
    features.push_back({std::string("form.") + column.name, std::isnan(column.value(Form()))});
  for (const ProfileColumn& column : columns_of_calls(Profile()))
    features.push_back({"profile." + column.name, false, true});
  for (const Option option : all_options) features.push_back({std::string("physics.") + name_of(option)});
  for (const Option option : all_options)
    if (option != Option::serial) features.push_back({std::string("physics.to_serial.") + name_of(option)});
  for (const Option option : shared_calls)
    for (const char* part : {"memory", "arithmetic", "launches"})
      features.push_back({std::string("physics.share.") + name_of(option) + '.' + part});
  return features;
}

std::vector<float> features_of(const Profile& profile) {
  FeatureValues values;
  for (const ProfileColumn& column : columns_of_calls(profile)) values.add_log(column.value);
  return values.taken();
}

std::vector<float> features_of(const Form& form, const Profile& profile, Target target) {
  return features_of(form, profile, target, features_of(profile));
}

std::vector<float> features_of(const Form& form, const Profile& profile, Target target,
                               const std::vector<float>& of_profile) {
  FeatureValues values(of_profile.size() + 64);
  for (const FormColumn& column : form_columns()) values.add(std::log2(1 + column.value(form)));
  for (const float value : of_profile) values.add(static_cast<double>(value));
  std::array<double, option_count> times;
  for (const Option option : all_options)
    values.add_log(times[static_cast<std::size_t>(option)] =
                       analytic_time(form, profile, option, target).value_or(not_given));
  for (const Option option : all_options)
    if (option != Option::serial) values.add_log(times[static_cast<std::size_t>(option)] / times[0]);
  for (const Option option : shared_calls) {
    const std::optional<CallTime> call = call_time(form, profile, option);
    values.add(call ? call->memory / call->total() : not_given);
    values.add(call ? call->arithmetic / call->total() : not_given);
    values.add(call ? call->launches / call->total() : not_given);
  }
  return values.taken();
}

}  // namespace sextant::predict
