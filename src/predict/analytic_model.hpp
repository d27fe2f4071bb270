// The analytic model: predicts a call's time from measured ceilings, launch costs, copies and allocation.
#pragma once

#include <optional>

#include "predict/constants.hpp"
#include "predict/form.hpp"
#include "predict/option.hpp"
#include "predict/profile.hpp"

namespace sextant::predict {

// Components of a call's time in seconds. `launches`: starting kernels or loops and waiting between steps.
// `memory` and `arithmetic` overlap, so only the longer one counts.
struct CallTime {
  double launches = 0, memory = 0, arithmetic = 0;
  double total() const { return launches + (memory > arithmetic ? memory : arithmetic); }
};

class AnalyticModel {
 public:
  explicit AnalyticModel(const Constants& constants) : constants_(constants) {}
  const Constants& constants() const { return constants_; }

  // Predicts the time of one call whose data are already on the device. Unknown traits (code-dependent
  // properties) get their cheapest value, for example stride 1. Without single-core ceilings, the serial
  // option uses an equal fraction of the all-core ceilings. Returns nothing if the profile lacks a needed
  // value, such as a bandwidth.
  std::optional<CallTime> call_time(const Form& form, const Profile& profile, Option option) const;

  // Predicts the seconds of `target`. On a GPU, Target::whole covers allocation, copies in, `reuse` calls,
  // copies out and release; on a CPU, `reuse` calls. `reuse` is at least 1. Allocation costs that were not
  // measured count as 0. Returns nothing if call_time does or if copy costs are missing.
  std::optional<double> time(const Form& form, const Profile& profile, Option option, Target target,
                             double reuse = 1) const;

  // Fraction (0 to 1) of a GPU's threads that the problem keeps busy with an item each; 1 on a CPU.
  double filled_part(const Form& form, const Profile& profile, Option option) const;

  // Seconds that a call takes at least by the machine's ceilings; 0 if they are missing.
  double least_time(const Form& form, const Profile& profile, Option option) const;

  // Fraction (0 to 1) of the predicted time that is neither launches nor waits between steps. Returns 1 if
  // there is no prediction.
  double share_of_work(const Form& form, const Profile& profile, Option option, Target target) const;

 private:
  Constants constants_;
};

}  // namespace sextant::predict
