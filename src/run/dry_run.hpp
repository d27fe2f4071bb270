// Estimates the number of cases of a run and its duration, without measuring.
#pragma once

#include <string>
#include <vector>

#include "engine/form/settings.hpp"
#include "present/table.hpp"
#include "record/case.hpp"
#include "record/environment.hpp"
#include "run/pace.hpp"

namespace sextant {

struct DryRun {
  double budget = 0;     // time budget of the run in seconds; 0: none
  std::size_t gpus = 0;  // number of GPUs in --devices; 0: none
  bool ceilings = false;
  int visits = 1;  // maximum number of processes that measure a case
  Pace pace = {};
};

// Returns a table with one row per kernel, for the machine that `environment` describes. A note below the
// table gives the total time. It also counts the cases that will not be measured: no device, too little
// memory, refused by the variant, or beyond the time limit. A case beyond the limit counts with
// `settings.timeout` seconds.
Table dry_run_table(const std::vector<Case>& cases, const Settings& settings, const Environment& environment,
                    const DryRun& run = {});

// Estimates the seconds that measuring the ceilings takes at present.
double seconds_of_ceilings(const Pace& pace, const Environment& environment);

// Returns the end of a sentence on an estimate: the number of earlier cases that it is based on, and the
// machine's load if that matters.
std::string basis_text(std::size_t cases, const Environment& environment);

// True if the machine has the device and the memory for the case, and the variant accepts the problem and
// tuning.
bool can_be_done(const Case& what, const Settings& settings, const Environment& environment);

}  // namespace sextant
