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
  std::string strategy;  // empty: model, or exhaustive where the budget reaches for the whole space
  std::string samples, max_noise, timeout, by = "device", against;
  std::vector<std::string> priors;  // files; "none": not even FILE itself; empty: FILE itself
  TuneBudget budget;
  std::uint64_t seed = 1;
  std::size_t top = 5;
  bool one = false;  // tuning for all sizes of a kernel and variant
  bool in_process = false, no_ceilings = false, dry_run = false, fresh = false, quiet = false, json = false,
       timings = false;
};

ExitCode tune_live(const LiveTuningOptions& options);

}  // namespace sextant
