// What `sextant run` is asked for: the options that say what is measured and how, which `submit` hands on,
// and the rest.
#pragma once

#include <string>
#include <vector>

#include "cli/options/command.hpp"
#include "cli/options/selection.hpp"
#include "run/request.hpp"

namespace sextant {

// What was typed. Lives as long as the command it was added to.
struct RunOptions {
  SelectionOptions selection;
  std::string file = "results.sextant";
  std::string samples, max_noise, budget, timeout, shard, devices;
  bool in_process = false, dry_run = false, fresh = false, retry = false, noisy = false, quiet = false,
       json = false, no_ceilings = false;
  bool no_sentinels = false, skip_hopeless = false, no_transfers = false, no_repeats = false,
       counters = false, timings = false, all_samples = false;
  int repeat = 1, visits = 8;
};

// Adds the selection and how it is measured: what holds for a whole sweep as well as for each of its parts.
void add_measuring(Command command, RunOptions* options);

// The options, read. Throws UserError.
RunRequest read_run(const RunOptions& options);

}  // namespace sextant
