// Slurm scripts and commands that run a benchmark sweep as an array of jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cluster/sweep_plan.hpp"

namespace sextant::cluster {

// Returns the script of the job array. Each job measures one part of the sweep. A job that starts again after
// an interruption continues its results file.
std::string run_script(const SweepPlan& plan);
// Returns the script that merges the results files of all parts, even if some parts failed.
std::string merge_script(const SweepPlan& plan);

// Returns a time in sbatch's format, "0:30:00", rounded up to whole seconds.
std::string time_text(double seconds);

// Throws UserError if sbatch is not on PATH or does not run.
void require_slurm();
// Runs `sbatch --test-only` on the script, which checks it without submitting it. Throws UserError with
// Slurm's message if the script is rejected.
void test_script(const std::string& path);
struct SentJob {
  std::int64_t number = 0;
  std::string cluster;  // the cluster that accepted the job; empty if sbatch names none
};
// Finds the job number in sbatch's output: "12", "12;cluster", or "Submitted batch job 12 on cluster c".
// Other lines are ignored. Returns nothing if there is no job number.
std::optional<SentJob> job_in(const std::string& log);
// Returns the cluster that sbatch options name ("-M a", "--clusters=a"). Empty if they name none or several.
std::string cluster_in(const std::vector<std::string>& options);
// Submits a script with the additional sbatch options `more`. Throws UserError with Slurm's message if it
// fails.
SentJob send_script(const std::string& path, const std::vector<std::string>& more);

// The state of one part (array task) in Slurm's queue.
struct Queued {
  std::string state;   // state of the part in Slurm's words: RUNNING, PENDING, …
  std::string reason;  // the reason why the part waits, or the node where it runs
};
// Returns the waiting and running parts of the sweep, by index. Finished jobs that Slurm has forgotten are
// missing. If squeue fails for another reason, *why gets its message.
std::map<std::size_t, Queued> queue_of(const std::vector<SentJob>& arrays, std::string* why);

}  // namespace sextant::cluster
