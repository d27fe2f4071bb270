// The time that measured ceilings alone let expect: a roofline with launches, copies and allocation.
#pragma once

#include <optional>

#include "predict/form.hpp"
#include "predict/option.hpp"
#include "predict/profile.hpp"

namespace sextant::predict {

// What code reaches of its ceilings, on the average of many kernels: of bandwidths, and of operations. A
// launch costs what it costs. Of a CPU's operations: where an item does one for each of its loads and stores.
struct Reach {
  double memory, arithmetic;
};
inline constexpr Reach of_plain_code = {0.9, 0.12}, of_gpu = {0.75, 0.4};
// Of a launch so much is what threads that run already take to wait for each other.
inline constexpr double wait_in_openmp = 0.5, wait_in_cuda = 0.05, wait_in_openacc = 0.33;

// Of a call's time: what passes over memory take, what arithmetic takes, what starting them and waiting
// between steps takes; seconds. The call is launches + max(memory, arithmetic).
struct CallTime {
  double launches = 0, memory = 0, arithmetic = 0;
  double total() const { return launches + (memory > arithmetic ? memory : arithmetic); }
};

// Nothing where the profile lacks what the option needs: a GPU, a bandwidth. What a form's traits leave open
// is taken for the cheapest: stride 1, one pass. A GPU's costs that were not measured (allocation) count
// nothing. The serial option of a profile without ceilings of one core gets an equal share of those of all.
std::optional<CallTime> call_time(const Form& form, const Profile& profile, Option option);

// Seconds of Target::call, or of Target::whole when the data, once on the device, are used by `reuse` calls:
// allocation, copies in, the calls, copies out, release. On the CPU a whole is `reuse` calls. reuse >= 1.
std::optional<double> physics(const Form& form, const Profile& profile, Option option, Target target,
                              double reuse = 1);

// The share of such a time that is no launches and no waits between steps; copies count as work. 1 where
// physics says nothing.
double share_of_work(const Form& form, const Profile& profile, Option option, Target target);

}  // namespace sextant::predict
