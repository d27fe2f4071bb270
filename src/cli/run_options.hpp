// What `sextant run` is asked for: the options that say what is measured and how, which `submit` hands on, and the rest.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/selection.hpp"
#include "engine/executor.hpp"
#include "plan/selection.hpp"

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
  int repeat = 1;
};

// The options, read; nothing has been touched yet.
struct RunRequest {
  Selection selection;
  Settings settings;
  double budget = 0;  // seconds; 0: none
  std::vector<Case> cases;
  bool whole_suite = false;             // in rounds (cli/rounds.hpp)
  std::vector<std::string> understood;  // of options that could be meant otherwise
  std::vector<std::string> notes;
};

// Adds the selection and how it is measured: what holds for a whole sweep as well as for each of its parts.
void add_measuring(Command command, RunOptions* options);

// Throws UserError.
RunRequest read_run(const RunOptions& options);

}  // namespace sextant
