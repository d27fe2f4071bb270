// The stored plan of a benchmark sweep that runs on a cluster as several jobs. `sextant submit` writes it
// next to the results file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sextant::cluster {

// One submission of the sweep's jobs to the scheduler.
struct SubmittedJobs {
  std::int64_t array = 0, merge = 0;  // job numbers; merge is 0 if the scheduler rejected the merge job
  std::string indices;                // submitted parts: "1-8", "2,5"
  std::string time;                   // time of the submission: ISO 8601, UTC
  std::string cluster = {};           // cluster that accepted the jobs; empty if there is only one
};

struct SweepPlan {
  std::string version, revision;       // version and revision of the submitting build
  std::string program;                 // absolute path of sextant
  std::string folder;                  // working directory of the command
  std::string output;                  // absolute path of the merged results file
  std::vector<std::string> arguments;  // arguments of `sextant run`, without --shard and -o
  std::vector<std::string> options;    // options for sbatch, as the user gave them
  std::string prologue;                // shell lines at the beginning of both scripts
  std::size_t shards = 1, cases = 0;
  double seconds = 0;  // time limit of each part's job; 0: the scheduler's default
  std::vector<SubmittedJobs> jobs;

  // Returns the folder with the files of all jobs, such as all.sextant.jobs/.
  std::string parts() const { return output + ".jobs"; }
  std::string plan_file() const { return parts() + "/plan.json"; }
  std::string shard_file(std::size_t index) const;  // results file of one part; `index` counts from 1
  std::string shard_log(std::size_t index) const;
  std::string run_script() const { return parts() + "/run.sbatch"; }
  std::string merge_script() const { return parts() + "/merge.sbatch"; }
};

std::string to_json(const SweepPlan& plan);
// Loads the plan next to the results file `output`. Throws UserError if it is missing or damaged.
SweepPlan load_plan(const std::string& output);

// Returns ascending indices as ranges: "1-3,5" for {1, 2, 3, 5}.
std::string index_text(const std::vector<std::size_t>& indices);

}  // namespace sextant::cluster
