#include "engine/form/warnings.hpp"

namespace sextant {

std::string text_of(Warning warning, const std::string& detail) {
  switch (warning) {
    case Warning::throttled:
      return "the device was throttled (" + detail +
             "); let it cool, or raise its power limit, and measure again";
    case Warning::slow_clock:
      return "the device ran at " + detail +
             "; check that nothing else uses it and that its clock is not locked";
    case Warning::no_records:
      return "device times come from events and include launch gaps: " + detail + "; run sextant doctor";
    case Warning::no_device_time:
      return "device times are not available: " + detail + "; run sextant doctor";
    case Warning::no_counters:
      return "hardware counters are not available: " + detail + "; run sextant doctor";
    case Warning::cut_short:
      return "cut short: the time limit was reached while " + detail +
             "; the samples are kept; measure the rest with a longer --timeout";
    case Warning::not_checked:
      return "not checked: " + detail + "; name a reference with --reference FILE:FUNCTION";
    case Warning::not_repeated:
      return "nondeterministic: two executions on the same inputs gave different results, both within the "
             "tolerance, so its times are valid";
    case Warning::beside_others:
      return "beside others: other GPUs were busy while its calls were sampled, which changes short call "
             "times; its device time is valid; -d gpu0 measures on one GPU";
    case Warning::arithmetic:
      return "it changes the processor's rounding or flush-to-zero mode, which affects its own results "
             "and times; compile without -ffast-math, or restore the mode in the variant";
    case Warning::outliers:
      return detail +
             " of the results exceed the tolerance; its kernel allows so many outliers, so it passes";
    case Warning::trivial:
      return "its tolerance is too wide: " + detail +
             " would pass; reduce the tolerance, or fill the inputs with other values";
    case Warning::shared_cores:
      return "ranks share cores: " + detail + "; use at most one rank per core, or more machines";
    case Warning::fixed_data:
      return "fixed data: every seed gives the same inputs, so the checks cannot detect a variant that "
             "caches its results; read its code";
  }
  return detail;
}

}  // namespace sextant
