#include "predict/features.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "predict/physics.hpp"

namespace sextant::predict {
namespace {

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

class FeatureValues {
 public:
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

}  // namespace

std::vector<TrainingFeature> feature_list() {
  std::vector<TrainingFeature> features;
  for (const FormColumn& column : form_columns())  // an empty form has no traits
    features.push_back({std::string("form.") + column.name, std::isnan(column.value(Form()))});
  for (const ProfileColumn& column : profile_columns(Profile()))
    features.push_back({"profile." + column.name});
  for (const Option option : all_options) features.push_back({std::string("physics.") + name_of(option)});
  for (const Option option : all_options)
    if (option != Option::serial) features.push_back({std::string("physics.to_serial.") + name_of(option)});
  for (const Option option : shared_calls)
    for (const char* part : {"memory", "arithmetic", "launches"})
      features.push_back({std::string("physics.share.") + name_of(option) + '.' + part});
  return features;
}

std::vector<float> features_of(const Form& form, const Profile& profile, Target target) {
  FeatureValues values;
  for (const FormColumn& column : form_columns()) values.add(std::log2(1 + column.value(form)));
  for (const ProfileColumn& column : profile_columns(profile)) values.add_log(column.value);
  const double serial = physics(form, profile, Option::serial, target).value_or(not_given);
  for (const Option option : all_options)
    values.add_log(physics(form, profile, option, target).value_or(not_given));
  for (const Option option : all_options)
    if (option != Option::serial)
      values.add_log(physics(form, profile, option, target).value_or(not_given) / serial);
  for (const Option option : shared_calls) {
    const std::optional<CallTime> call = call_time(form, profile, option);
    values.add(call ? call->memory / call->total() : not_given);
    values.add(call ? call->arithmetic / call->total() : not_given);
    values.add(call ? call->launches / call->total() : not_given);
  }
  return values.taken();
}

}  // namespace sextant::predict
