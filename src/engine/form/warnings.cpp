#include "engine/form/warnings.hpp"

namespace sextant {

std::string text_of(Warning warning, const std::string& detail) {
  switch (warning) {
    case Warning::throttled:
      return "the device was throttled (" + detail +
             "); let it cool, or raise its power limit, and measure again";
    case Warning::slow_clock:
      return "the device ran at " + detail + "; see that nothing else uses it and that no clock is locked";
    case Warning::no_records:
      return "device times come from events and contain launch gaps: " + detail + "; see sextant doctor";
    case Warning::no_device_time:
      return "device times are not known: " + detail + "; see sextant doctor";
    case Warning::no_counters:
      return "hardware counters are not known: " + detail + "; see sextant doctor";
    case Warning::cut_short:
      return "cut short: the time limit struck while " + detail +
             "; the samples are kept, a longer --timeout measures the rest";
    case Warning::not_checked:
      return "not checked: " + detail + "; --reference FILE:FUNCTION names what is right";
    case Warning::not_repeated:
      return "nondeterministic: two executions on the same inputs gave different results, both within the "
             "tolerance";
    case Warning::beside_others:
      return "beside others: its calls were sampled while other GPUs worked, which moves such short ones; its time on "
             "the device holds";
    case Warning::arithmetic:
      return "it changes how the processor rounds or flushes small numbers to zero: put back after it; its own results and times have "
             "it (do without -ffast-math, or set it back in the variant)";
    case Warning::outliers:
      return detail +
             " of the results differ by more than the tolerance: outliers, as many as its kernel allows";
    case Warning::trivial:
      return "its tolerance is too wide: " + detail +
             " would pass; narrow it, or fill the inputs with other values";
    case Warning::shared_cores:
      return "ranks share cores: " + detail + "; take no more of them than cores, or more machines";
    case Warning::fixed_data:
      return "fixed data: every seed gives the same inputs, so that audited calls begin with altered outputs, but with no new inputs; a "
             "variant that keeps its answer would pass: read its code";
  }
  return detail;
}

}  // namespace sextant
