// A sweep that a cluster does in parts: what `sextant submit` keeps of it, in a folder beside the results
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sextant::cluster {

// One time that parts were handed to the scheduler.
struct SubmittedJobs {
  std::int64_t array = 0, merge = 0;  // the scheduler's numbers; merge 0: it was not taken
  std::string indices;                // "1-8", "2,5"
  std::string time;                   // ISO 8601, UTC
  std::string cluster = {};           // the one of several that took them; empty: there is one
};

struct SweepPlan {
  std::string version, revision;       // of the build that does it
  std::string program;                 // sextant, an absolute path
  std::string folder;                  // in which the command was given
  std::string output;                  // the results file that gets all parts, an absolute path
  std::vector<std::string> arguments;  // of `sextant run`, but for its part and its file
  std::vector<std::string> options;    // of sbatch, as they were given
  std::string prologue;                // shell lines that come first in both scripts
  std::size_t shards = 1, cases = 0;
  double seconds = 0;  // that each part may take; 0: what the scheduler gives
  std::vector<SubmittedJobs> jobs;

  // Where its parts are: all.sextant.jobs/
  std::string parts() const { return output + ".jobs"; }
  std::string plan_file() const { return parts() + "/plan.json"; }
  std::string shard_file(std::size_t index) const;  // index from 1
  std::string shard_log(std::size_t index) const;
  std::string run_script() const { return parts() + "/run.sbatch"; }
  std::string merge_script() const { return parts() + "/merge.sbatch"; }
};

std::string to_json(const SweepPlan& plan);
// The plan beside the results file `output`. Throws UserError: there is none, it is damaged.
SweepPlan load_plan(const std::string& output);

// "1-3,5" of {1, 2, 3, 5}, ascending.
std::string index_text(const std::vector<std::size_t>& indices);

}  // namespace sextant::cluster
