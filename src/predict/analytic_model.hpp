// The analytic model: predicts a call's time from measured ceilings, launch costs, copies and allocation.
#pragma once

#include <optional>

#include "predict/form.hpp"
#include "predict/option.hpp"
#include "predict/profile.hpp"

namespace sextant::predict {

// Fractions of the measured ceilings that typical code reaches: `memory` of the bandwidth, `arithmetic` of
// the FLOP rate. On a CPU, `arithmetic` holds for one operation per load or store.
struct Efficiency {
  double memory, arithmetic;
};
inline constexpr Efficiency of_plain_code = {0.9, 0.12}, of_gpu = {0.75, 0.4};
// Time for which running threads wait for each other at a barrier, as a fraction of a launch.
inline constexpr double wait_in_openmp = 0.5, wait_in_cuda = 0.05, wait_in_openacc = 0.33;

// Components of a call's time in seconds. `launches`: starting kernels or loops and waiting between steps.
// `memory` and `arithmetic` overlap, so only the longer one counts.
struct CallTime {
  double launches = 0, memory = 0, arithmetic = 0;
  double total() const { return launches + (memory > arithmetic ? memory : arithmetic); }
};

// Predicts the time of one call whose data are already on the device. Unknown traits (code-dependent
// properties) get their cheapest value, for example stride 1. Without single-core ceilings, the serial option
// uses an equal fraction of the all-core ceilings. Returns nothing if the profile lacks a needed value, such
// as a bandwidth.
std::optional<CallTime> call_time(const Form& form, const Profile& profile, Option option);

// Predicts the seconds of `target`. On a GPU, Target::whole covers allocation, copies in, `reuse` calls,
// copies out and release; on a CPU, `reuse` calls. `reuse` is at least 1. Allocation costs that were not
// measured count as 0. Returns nothing if call_time does or if copy costs are missing.
std::optional<double> analytic_time(const Form& form, const Profile& profile, Option option, Target target,
                                    double reuse = 1);

// Fraction (0 to 1) of a GPU's threads that the problem keeps busy with an item each; 1 on a CPU.
double filled_part(const Form& form, const Profile& profile, Option option);

// Seconds that a call takes at least by the machine's ceilings; 0 if they are missing.
double least_time(const Form& form, const Profile& profile, Option option);

// Fraction (0 to 1) of the predicted time that is neither launches nor waits between steps. Returns 1 if
// there is no prediction.
double share_of_work(const Form& form, const Profile& profile, Option option, Target target);

}  // namespace sextant::predict
