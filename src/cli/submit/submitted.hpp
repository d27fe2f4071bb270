// Shows and merges a submitted sweep, based on its files and the queue.
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
  cluster::Standing standing;  // Progress; only `cases` and `missing` are set if the file cannot be read.
  bool in_use = false;         // The file is being written, or cannot be read.
  std::vector<std::string> machines;      // Kinds of machine that the part ran on.
  std::optional<cluster::Queued> queued;  // Entry in the queue, if the part waits or runs.
};

struct Submitted {
  std::vector<SubmittedPart> parts;  // Part i has index i - 1.
  std::string silent;                // Why the queue does not answer; empty: it does.
};

// Reads the state of a sweep. Throws UserError if another build submitted it, because that build's plan may
// differ.
Submitted look_at(const cluster::SweepPlan& plan);

// Prints the progress of each part as a table.
ExitCode print_standing(const cluster::SweepPlan& plan, bool json);

// Merges the parts' files into the sweep's file. Returns ExitCode::budget if cases are missing, and names
// their parts.
ExitCode merge_parts(const cluster::SweepPlan& plan);

}  // namespace sextant
