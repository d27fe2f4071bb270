// Slurm, as far as a sweep needs it: two scripts, and what its commands say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cluster/sweep_plan.hpp"

namespace sextant::cluster {

// The script of one part, which an array of jobs runs: the same part continues the same file, whether it was put back
// into the queue, killed, cut off by its limit or sent again.
std::string run_script(const SweepPlan& plan);
// The script that joins what the parts left, whatever became of them.
std::string merge_script(const SweepPlan& plan);

// "0:30:00", as sbatch takes a time; rounded up to whole seconds.
std::string time_text(double seconds);

// Throws UserError if there is no sbatch on PATH.
void require_slurm();
// Asks Slurm whether it would take the script, without handing it over. Throws UserError with what it says.
void test_script(const std::string& path);
// Hands a script over and returns its job's number; `more` are options of sbatch. Throws UserError with what it says.
std::int64_t send_script(const std::string& path, const std::vector<std::string>& more);

// What the queue says of one part.
struct Queued {
  std::string state;   // RUNNING, PENDING, …
  std::string reason;  // why it waits, or where it runs
};
// The parts that are waiting or running, by their index. Empty where Slurm has forgotten the jobs or does not answer; then
// *why says so, if it did not answer.
std::map<std::size_t, Queued> queue_of(const std::vector<std::int64_t>& arrays, std::string* why);

}  // namespace sextant::cluster
