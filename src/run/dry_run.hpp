// How many cases, and about how long: without measuring anything.
#pragma once

#include <vector>

#include "engine/form/settings.hpp"
#include "present/table.hpp"
#include "record/case.hpp"
#include "record/environment.hpp"
#include "run/pace.hpp"

namespace sextant {

struct DryRun {
  double budget = 0;     // seconds; 0: none
  std::size_t gpus = 0;  // that the cases are distributed to; 0: they are not
  bool ceilings = false;
  int visits = 1;  // stays of a case at most
  Pace pace = {};
};

// One row a kernel, and a note with the sum and with what will not be measured on a machine that is as
// `environment` says: cases without their device, beyond its memory, refused by their variant, or beyond the
// time limit (`settings.timeout`), each of which costs that limit. The note's sum has what a run does besides
// its cases.
Table dry_run_table(const std::vector<Case>& cases, const Settings& settings, const Environment& environment,
                    const DryRun& run = {});

// Whether that machine can do a case: it has the device and the memory, and the variant takes the problem
// with its tuning.
bool can_be_done(const Case& what, const Settings& settings, const Environment& environment);

}  // namespace sextant
