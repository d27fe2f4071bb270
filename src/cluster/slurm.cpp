#include "cluster/slurm.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <regex>
#include <sstream>

#include "base/child.hpp"
#include "base/error.hpp"

namespace sextant::cluster {
namespace {

constexpr double answer_seconds = 60;  // time limit for a Slurm command
// Slurm sends SIGTERM this many seconds before a job's time limit. The job then has time to store its
// results.
constexpr double warning_seconds = 120;
constexpr double merge_seconds = 600;

// Quotes a path for an #SBATCH line. `patterns` doubles each %, for options in which Slurm expands %a and the
// like.
std::string quoted(const std::string& path, bool patterns) {
  std::string text;
  for (const char c : path) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
    if (c == '%' && patterns) text += c;
  }
  return "\"" + text + "\"";
}

// Joins the options into lines. An option that begins with a dash starts a new line.
std::vector<std::string> option_lines(const std::vector<std::string>& options) {
  std::vector<std::string> lines;
  for (const std::string& one : options) {
    const std::string word = one.find_first_of(" \t\"'\\#") == std::string::npos ? one : quoted(one, false);
    if (one.starts_with('-') || lines.empty())
      lines.push_back(word);
    else
      lines.back() += " " + word;
  }
  return lines;
}

// Returns true for options that select where a job runs and which account pays. The merge job gets them, too.
bool says_where(const std::string& line) {
  for (const char* name : {"-A", "--account", "-p", "--partition", "-q", "--qos", "-M", "--clusters",
                           "--reservation", "--wckey", "--comment", "--mail", "-C", "--constraint"})
    if (line.starts_with(name)) return true;
  return false;
}

// Returns the start of a script: shell, #SBATCH options and the user's prologue. The default shell is a login
// shell, because only that defines `module` on many clusters.
std::string head(const std::vector<std::string>& lines, const std::string& prologue) {
  std::string shell = prologue.empty() ? "#!/bin/sh\n" : "#!/bin/bash -l\n", rest = prologue;
  if (prologue.starts_with("#!")) {
    shell = prologue.substr(0, prologue.find('\n') + 1);
    rest = prologue.substr(shell.size());
  }
  std::string text = shell;
  for (const std::string& line : lines) text += "#SBATCH " + line + "\n";
  return text + rest;
}

std::string what_it_said(const Ended& ended) {
  if (!ended.started) return "it could not be started";
  if (ended.timed_out) return fmt::format("it did not answer within {} s", answer_seconds);
  return ended.log.empty() ? fmt::format("it ended with code {}", ended.code) : ended.log;
}

}  // namespace

std::string time_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string run_script(const SweepPlan& plan) {
  std::vector<std::string> lines = {
      "--job-name=sextant",
      fmt::format("--array=1-{}", plan.shards),
      "--nodes=1",
      "--exclusive",  // no other job may run on the node and disturb the measurement
      "--requeue",
      "--open-mode=append",
      fmt::format("--signal=B:TERM@{}",
                  static_cast<int>(plan.seconds > 0 ? std::fmin(warning_seconds, plan.seconds / 4)
                                                    : warning_seconds)),
      "--chdir=" + quoted(plan.folder, false),
      "--output=" + quoted(plan.parts() + "/shard-", true)};
  lines.back().insert(lines.back().size() - 1, "%a.log");
  if (plan.seconds > 0) lines.push_back("--time=" + time_text(plan.seconds));
  for (const std::string& line : option_lines(plan.options)) lines.push_back(line);
  std::vector<std::string> command = {plan.program, "run"};
  command.insert(command.end(), plan.arguments.begin(), plan.arguments.end());
  const std::string shards = std::to_string(plan.shards);
  return head(lines, plan.prologue) +
         "# One part of a sweep; submitted again, it continues. exec lets the signal before the time "
         "limit\n# reach sextant, which then finishes its case and keeps all results.\nexec " +
         shell_text(command) + " --shard \"$SLURM_ARRAY_TASK_ID/" + shards + "\" -o " +
         shell_text({plan.parts() + "/shard-"}) + "\"$SLURM_ARRAY_TASK_ID\".sextant\n";
}

std::string merge_script(const SweepPlan& plan) {
  std::vector<std::string> lines = {"--job-name=sextant-merge",
                                    "--nodes=1",
                                    "--ntasks=1",
                                    "--requeue",
                                    "--open-mode=append",
                                    "--time=" + time_text(merge_seconds),
                                    "--chdir=" + quoted(plan.folder, false),
                                    "--output=" + quoted(plan.parts() + "/merge.log", true)};
  for (const std::string& line : option_lines(plan.options))
    if (says_where(line)) lines.push_back(line);
  return head(lines, plan.prologue) +
         "# Merges the results of the parts, and exits with code 6 if cases are missing.\nexec " +
         shell_text({plan.program, "submit", "--merge", plan.output}) + "\n";
}

void require_slurm() {
  const Ended ended = run_to_end({"sbatch", "--version"}, answer_seconds);
  if (ended.started && !ended.well())
    throw UserError(
        "Slurm's `sbatch` does not work. Set SLURM_CONF if the cluster's configuration is not in its usual "
        "place, or print the scripts with --print. The error was: " +
            what_it_said(ended),
        ExitCode::missing);
  if (!ended.well())
    throw UserError(
        "Slurm's `sbatch` was not found. Either this machine is not part of a Slurm cluster, or Slurm's "
        "commands are not on PATH (try `module load slurm`). --print prints the scripts, so that you can "
        "submit them yourself or with another scheduler.",
        ExitCode::missing);
}

void test_script(const std::string& path) {
  const Ended ended = run_to_end({"sbatch", "--test-only", path}, answer_seconds);
  if (!ended.well())
    throw UserError("Slurm rejected " + path +
                    ", so nothing was submitted. Correct the options for `sbatch`. --print prints the "
                    "scripts. The error was: " +
                    what_it_said(ended));
}

std::string cluster_in(const std::vector<std::string>& options) {
  std::string named;
  for (const std::string& line : option_lines(options)) {
    static const std::regex option(R"((?:-M *|--clusters[ =])([\w.-]+(?:,[\w.-]+)*))");
    std::smatch found;
    if (line.size() < 1000 && std::regex_match(line, found, option)) named = found[1].str();
  }
  return named == "all" || named.find(',') != std::string::npos ? "" : named;
}

std::optional<SentJob> job_in(const std::string& log) {
  static const std::regex parsable(R"(\s*(\d{1,18})(?:;([\w.-]+))?\s*)"),
      sentence(R"(.*Submitted batch job (\d{1,18})(?: on cluster ([\w.-]+))?\s*)");
  for (const std::regex& form : {parsable, sentence}) {
    std::istringstream lines(log);
    std::smatch found;
    for (std::string line; std::getline(lines, line);)
      if (line.size() < 1000 && std::regex_match(line, found, form))
        return SentJob{std::stoll(found[1].str()), found[2].str()};
  }
  return std::nullopt;
}

SentJob send_script(const std::string& path, const std::vector<std::string>& more) {
  std::vector<std::string> command = {"sbatch", "--parsable"};
  command.insert(command.end(), more.begin(), more.end());
  command.push_back(path);
  const Ended ended = run_to_end(command, answer_seconds);
  const std::optional<SentJob> job = job_in(ended.log);
  if (!ended.well())
    throw UserError("Slurm rejected " + path +
                    ". `sextant submit --again` submits it again. The error was: " + what_it_said(ended));
  if (!job)
    throw UserError("Slurm accepted " + path +
                    " but printed no job number, so it is unknown whether the job is queued. See `squeue "
                    "--me`. Slurm said: " +
                    what_it_said(ended));
  return *job;
}

std::map<std::size_t, Queued> queue_of(const std::vector<SentJob>& arrays, std::string* why) {
  std::map<std::size_t, Queued> queue;
  for (const SentJob& job : arrays) {
    std::vector<std::string> command = {"squeue", "-h",      "-r", "-j", std::to_string(job.number),
                                        "-o",     "%K|%T|%R"};
    if (!job.cluster.empty()) command.insert(command.begin() + 1, {"-M", job.cluster});
    const Ended ended = run_to_end(command, answer_seconds);
    if (!ended.well()) {  // squeue also fails for a job that Slurm no longer knows
      if (ended.log.find("Invalid job id") == std::string::npos) *why = what_it_said(ended);
      continue;
    }
    std::istringstream lines(ended.log);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t first = line.find('|'), second = line.find('|', first + 1);
      std::size_t index = 0;
      if (second == std::string::npos ||
          std::from_chars(line.data(), line.data() + first, index).ec != std::errc())
        continue;
      queue[index] = {line.substr(first + 1, second - first - 1), line.substr(second + 1)};
    }
  }
  return queue;
}

}  // namespace sextant::cluster
