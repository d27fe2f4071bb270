// sextant tune: searches on this machine.
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
  std::string strategy;  // Empty: model, or exhaustive if the budget covers the whole space.
  std::string samples, max_noise, timeout, by = "device", against;
  std::vector<std::string> priors;  // Files; "none": no prior at all; empty: the results file itself.
  TuneBudget budget;
  std::uint64_t seed = 1;
  std::size_t top = 5;
  bool one = false;  // Find one tuning for all sizes of a kernel and variant.
  bool in_process = false, no_ceilings = false, dry_run = false, fresh = false, quiet = false, json = false,
       timings = false;
};

ExitCode tune_live(const LiveTuningOptions& options);

}  // namespace sextant
