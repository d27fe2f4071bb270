// Reads the options of `sextant run`. `submit` shares the options that define what to measure and how, and
// passes them to its jobs.
#pragma once

#include <string>
#include <vector>

#include "cli/options/command.hpp"
#include "cli/options/selection.hpp"
#include "run/request.hpp"

namespace sextant {

// The options as the user typed them. The command refers to this object, which must outlive it.
struct RunOptions {
  SelectionOptions selection;
  std::string file = "results.sextant";
  std::string samples, equal, max_noise, gap, energy_window, steady, clock, budget, timeout, shard, devices;
  bool in_process = false, dry_run = false, fresh = false, retry = false, noisy = false, decide = false,
       quiet = false, json = false, no_ceilings = false;
  bool no_sentinels = false, skip_hopeless = false, no_transfers = false, no_repeats = false,
       counters = false, energy = false, timings = false, all_samples = false;
  int repeat = 1, visits = 12;
};

// Adds the options for selection and measurement. They apply to a whole sweep and to each of its shards.
void add_measuring(Command command, RunOptions* options);

// Parses and checks the options. Throws UserError.
RunRequest read_run(const RunOptions& options);

}  // namespace sextant
