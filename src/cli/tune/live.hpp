// sextant tune: searches tunings by measuring on this machine.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/options/selection.hpp"
#include "cli/options/values.hpp"

namespace sextant {

struct LiveTuningOptions {
  SelectionOptions selection;
  std::string file = "tuned.sextant";
  // Name of the strategy; empty means "model", or "exhaustive" if the budget covers the whole space.
  std::string strategy;
  std::string samples, max_noise, timeout, by = "device", against;
  // Files to learn from; "none": learn from nothing; empty: learn from the results file itself.
  std::vector<std::string> priors;
  TuneBudget budget;
  std::uint64_t seed = 1;
  std::size_t top = 5;
  bool one = false;  // True to find one tuning for all sizes of a kernel and variant.
  bool in_process = false, no_ceilings = false, dry_run = false, fresh = false, quiet = false, json = false,
       timings = false;
};

ExitCode tune_live(const LiveTuningOptions& options);

}  // namespace sextant
