#include "engine/form/warnings.hpp"

namespace sextant {

std::string text_of(Warning warning, const std::string& detail) {
  switch (warning) {
    case Warning::throttled:
      return "the device was throttled (" + detail +
             "). Let it cool or raise its power limit, then measure again";
    case Warning::slow_clock:
      return "the device ran at " + detail +
             ". Check that no other program uses the device and that its clock is not locked";
    case Warning::no_records:
      return "device times include the gaps between launches, because only events could be recorded (" +
             detail + "). `sextant doctor` names a remedy";
    case Warning::no_device_time:
      return "device times are not available (" + detail + "). `sextant doctor` names a remedy";
    case Warning::no_counters:
      return "hardware counters are not available (" + detail + "). `sextant doctor` names a remedy";
    case Warning::not_steady:
      return "the GPU did not reach a steady state: " + detail + ". A longer --steady may help";
    case Warning::no_energy:
      return "the energy of calls is not known (" + detail + "). Leave --energy out, or use another device";
    case Warning::cut_short:
      return "cut short: the case reached its time limit while " + detail +
             ". Its samples are kept. A longer --timeout measures the rest";
    case Warning::not_checked:
      return "not checked: " + detail + ". Name a reference with --reference FILE:FUNCTION";
    case Warning::not_repeated:
      return "nondeterministic: two executions on the same inputs gave different results. Both are within "
             "the tolerance, so the times are valid";
    case Warning::beside_others:
      return "beside others: other GPUs were busy while the calls of this case were timed, which changes "
             "short call times. Its device time is valid. To measure on one GPU, use -d gpu0";
    case Warning::arithmetic:
      return "the variant changes the processor's rounding or flush-to-zero mode, which affects its results "
             "and times. Compile it without -ffast-math, or restore the mode in its code";
    case Warning::outliers:
      return detail +
             " of the results exceed the tolerance. The kernel allows so many outliers, so the case passes";
    case Warning::trivial:
      return "the kernel's tolerance is too wide: " + detail +
             " would pass the check. Reduce the tolerance, or fill the inputs with other values";
    case Warning::shared_cores:
      return "ranks share cores: " + detail + ". Use at most one rank per core, or more machines";
    case Warning::fixed_data:
      return "fixed data: every seed gives the same inputs, so the check cannot detect a variant that caches "
             "its results. Read the variant's code";
  }
  return detail;
}

}  // namespace sextant
