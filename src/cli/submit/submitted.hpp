// A sweep that was submitted, as its files and the queue have it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cluster/slurm.hpp"
#include "cluster/standing.hpp"
#include "cluster/sweep_plan.hpp"

namespace sextant {

struct SubmittedPart {
  cluster::Standing standing;  // so far; empty but for `cases` and `missing` where the file is not readable
  bool in_use = false;         // the file is being written, or not readable
  std::vector<std::string> machines;      // kinds
  std::optional<cluster::Queued> queued;  // where it waits or runs
};

struct Submitted {
  std::vector<SubmittedPart> parts;  // part i at i - 1
  std::string silent;                // why the queue does not answer; empty: it does
};

// Throws UserError if the sweep is of another build, whose plan may be another.
Submitted look_at(const cluster::SweepPlan& plan);

// How far each part is, as a table.
ExitCode print_standing(const cluster::SweepPlan& plan, bool json);

// Joins the parts' files in the sweep's. ExitCode::budget if cases are missing, whose parts it names.
ExitCode merge_parts(const cluster::SweepPlan& plan);

}  // namespace sextant
