// The analytic model with the constants of a default-constructed Constants, for tests.
#pragma once

#include "predict/analytic_model.hpp"

namespace sextant::predict {

inline std::optional<double> analytic_time(const Form& form, const Profile& profile, Option option,
                                           Target target, double reuse = 1) {
  return AnalyticModel(Constants()).time(form, profile, option, target, reuse);
}
inline std::optional<CallTime> call_time(const Form& form, const Profile& profile, Option option) {
  return AnalyticModel(Constants()).call_time(form, profile, option);
}
inline double least_time(const Form& form, const Profile& profile, Option option) {
  return AnalyticModel(Constants()).least_time(form, profile, option);
}
inline double share_of_work(const Form& form, const Profile& profile, Option option, Target target) {
  return AnalyticModel(Constants()).share_of_work(form, profile, option, target);
}

// Fractions of the ceilings that code reaches.
struct Reached {
  double memory, arithmetic;
};
inline constexpr Reached of_plain_code = {Constants().code_memory, Constants().code_arithmetic},
                         of_gpu = {Constants().gpu_memory, Constants().gpu_arithmetic};
inline constexpr double wait_in_openmp = Constants().wait_in_openmp, wait_in_cuda = Constants().wait_in_cuda,
                        wait_in_openacc = Constants().wait_in_openacc;

}  // namespace sextant::predict
