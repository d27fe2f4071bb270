// Shows the state of a submitted sweep, and merges its results. The state comes from the sweep's files and
// Slurm's queue.
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
  // Progress of the shard. If its file cannot be read, only `cases` and `missing` are set.
  cluster::Standing standing;
  bool in_use = false;                    // True if the file is being written.
  std::string unreadable;                 // Reason why the file cannot be read; empty if it can.
  std::vector<std::string> machines;      // Kinds of machine on which the shard ran.
  std::optional<cluster::Queued> queued;  // Entry in the queue, if the shard waits or runs.
};

struct Submitted {
  std::vector<SubmittedPart> parts;  // The element at index i - 1 belongs to shard i.
  std::string silent;                // Reason why the queue does not answer; empty if it does.
};

// Reads the state of a sweep. Throws UserError if another build submitted it, because that build may divide
// the cases differently.
Submitted look_at(const cluster::SweepPlan& plan);

// Prints the progress of each shard as a table.
ExitCode print_standing(const cluster::SweepPlan& plan, bool json);

// Merges the files of the shards into the file of the sweep. If cases are missing, returns ExitCode::budget
// and names their shards.
ExitCode merge_parts(const cluster::SweepPlan& plan);

}  // namespace sextant
