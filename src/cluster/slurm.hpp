// Slurm, as far as a sweep needs it: two scripts, and what its commands say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cluster/sweep_plan.hpp"

namespace sextant::cluster {

// The script of one part, which an array of jobs runs: the same part continues the same file, whether it was
// put back into the queue, killed, cut off by its limit or sent again.
std::string run_script(const SweepPlan& plan);
// The script that joins what the parts left, whatever became of them.
std::string merge_script(const SweepPlan& plan);

// "0:30:00", as sbatch takes a time; rounded up to whole seconds.
std::string time_text(double seconds);

// Throws UserError if there is no sbatch on PATH.
void require_slurm();
// Asks Slurm whether it would take the script, without handing it over. Throws UserError with what it says.
void test_script(const std::string& path);
struct SentJob {
  std::int64_t number = 0;
  std::string cluster;  // empty: sbatch names none
};
// The job in what sbatch writes: a line "12" or "12;cluster", or "Submitted batch job 12 on cluster c". Other
// lines, such as notes of a site's plugins, may stand before and behind it. Empty if there is none.
std::optional<SentJob> job_in(const std::string& log);
// The cluster that options of sbatch name ("-M a", "--clusters=a"); empty if they name none or several.
std::string cluster_in(const std::vector<std::string>& options);
// Hands a script over; `more` are options of sbatch. Throws UserError with what it says.
SentJob send_script(const std::string& path, const std::vector<std::string>& more);

// What the queue says of one part.
struct Queued {
  std::string state;   // RUNNING, PENDING, …
  std::string reason;  // why it waits, or where it runs
};
// The parts that are waiting or running, by their index. Empty where Slurm has forgotten the jobs or does not
// answer; then *why says so, if it did not answer.
std::map<std::size_t, Queued> queue_of(const std::vector<SentJob>& arrays, std::string* why);

}  // namespace sextant::cluster
