#include "cli/submit/sending_script.hpp"

#include <numeric>
#include <vector>

#include "base/child.hpp"
#include "cluster/slurm.hpp"
#include "engine/form/unmeasured.hpp"

namespace sextant {
namespace {

// Returns shell lines that write `text` to a file in the current folder (a here-document). `text` must end
// with a newline. The end mark is extended until no line of `text` equals it.
std::string written(const std::string& name, const std::string& text) {
  std::string end = "END";
  while (("\n" + text).find("\n" + end + "\n") != std::string::npos) end += "_";
  return "cat >" + name + " <<'" + end + "'\n" + text + end + "\n";
}

}  // namespace

std::string sending_script(cluster::SweepPlan plan) {
  std::vector<std::size_t> indices(plan.shards);
  std::iota(indices.begin(), indices.end(), 1);
  // The job numbers are 0 here; the script below gets them from sbatch.
  plan.jobs = {{0, 0, cluster::index_text(indices), timestamp_now()}};
  const std::string folder = shell_text({plan.parts()});
  return "#!/bin/sh\n"
         "# Makes the sweep's folder and submits its two jobs to Slurm, as `sextant submit` without --print "
         "does.\n"
         "set -e\n"
         "mkdir " +
         folder +
         "  # stops here if a sweep for this file was submitted before\n"
         "cd " +
         folder +
         "\n\n"
         "# The parts: tasks of one array.\n" +
         written("run.sbatch", cluster::run_script(plan)) + "\n# Joins what the parts measured.\n" +
         written("merge.sbatch", cluster::merge_script(plan)) +
         "\n# What --status, --again and --merge read.\n" + written("plan.json", cluster::to_json(plan)) +
         "\nparts=$(sbatch --parsable run.sbatch) || { rm -r " + folder +
         "; exit 1; }\n"
         "parts=${parts%%;*}\n"
         "sed -i \"s/\\\"array\\\": 0/\\\"array\\\": $parts/\" plan.json\n"
         "# Waits until all parts have ended, well or not.\n"
         "merge=$(sbatch --parsable --dependency=afterany:$parts merge.sbatch)\n"
         "merge=${merge%%;*}\n"
         "sed -i \"s/\\\"merge\\\": 0/\\\"merge\\\": $merge/\" plan.json\n"
         "echo \"job $parts: the parts; job $merge: joins the parts in \"" +
         shell_text({plan.output}) +
         "\n"
         "echo \"State of the parts: \"" +
         shell_text({shell_text({plan.program, "submit", "--status", plan.output})}) + "\n";
}

}  // namespace sextant
