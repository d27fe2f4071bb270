#include "cli/submit/submitted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/plural.hpp"
#include "cli/files/load.hpp"
#include "cli/options/run_options.hpp"
#include "plan/shard.hpp"
#include "present/table.hpp"
#include "registry/build_info.hpp"
#include "store/database.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using cluster::SweepPlan;

// Returns the cases of the whole sweep. They are computed from the arguments of its shards.
std::vector<Case> cases_of(const SweepPlan& plan) {
  if (plan.version != SEXTANT_VERSION || plan.revision != build_info().git_revision)
    throw UserError(
        fmt::format("the sweep was submitted by Sextant {}, revision {}, but this program is Sextant {}, "
                    "revision {}. The two may divide the cases differently. Use the program {}, or join the "
                    "finished parts with `sextant merge {} -o FILE`.",
                    plan.version, plan.revision, SEXTANT_VERSION, build_info().git_revision, plan.program,
                    plan.parts() + "/shard-*.sextant"));
  std::filesystem::current_path(plan.folder);  // Paths in the arguments are relative to this folder.
  RunOptions options;
  CommandLine line;
  Command command = line.program().add_subcommand("run", "");
  add_measuring(command, &options);
  std::vector<std::string> arguments = {"run"};
  arguments.insert(arguments.end(), plan.arguments.begin(), plan.arguments.end());
  line.parse(arguments);
  return read_run(options).cases;
}

// Returns false for a missing file and for an empty one, whose shard has just begun.
bool has_content(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return !error && size > 0;
}

SubmittedPart part_of(const SweepPlan& plan, std::size_t index, const std::vector<Case>& cases) {
  SubmittedPart part;
  Results results;
  try {
    if (has_content(plan.shard_file(index))) {
      const ResultsFile file(plan.shard_file(index), ResultsFile::Mode::read);
      part.in_use = file.in_use();
      results = file.load();
    }
  } catch (const store::InUse&) {
    part.in_use = true;
  } catch (const UserError& error) {
    part.unreadable = error.what();
  }
  part.standing = cluster::standing_of(shard_of(cases, {index, plan.shards}), results);
  part.machines = cluster::kinds_of_machine(results);
  return part;
}

std::string last_words(const std::string& path) {
  std::ifstream file(path);
  std::string line, last;
  while (std::getline(file, line))
    if (!line.empty()) last = line;
  return last;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string state_of(const SubmittedPart& part) {
  if (part.queued) return lower(part.queued->state);
  if (part.in_use) return "in use";
  if (!part.unreadable.empty()) return "unreadable";
  return part.standing.complete() ? "done" : "stopped";
}

// Returns the reason for the state of a shard. While it waits, that is the queue's reason. If it stopped
// early, it is the last line of its log.
std::string why(const SweepPlan& plan, std::size_t index, const SubmittedPart& part) {
  if (part.queued) return part.queued->reason == "(None)" ? "" : part.queued->reason;
  if (!part.unreadable.empty()) return part.unreadable;
  return part.standing.complete() ? "" : last_words(plan.shard_log(index));
}

// Returns a warning if shards ran on different kinds of machine, because their times cannot be compared.
// Otherwise the text is empty.
std::string unlike_machines(const Submitted& submitted) {
  std::vector<std::string> kinds;
  for (const SubmittedPart& part : submitted.parts)
    for (const std::string& kind : part.machines)
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  if (kinds.size() < 2) return "";
  return fmt::format("The parts ran on {} kinds of machine ({}). Do not compare times of different parts.",
                     kinds.size(), fmt::join(kinds, "; "));
}

}  // namespace

Submitted look_at(const SweepPlan& plan) {
  Submitted submitted;
  const std::vector<Case> cases = cases_of(plan);
  std::vector<cluster::SentJob> arrays;
  for (const cluster::SubmittedJobs& jobs : plan.jobs) arrays.push_back({jobs.array, jobs.cluster});
  const std::map<std::size_t, cluster::Queued> queue = cluster::queue_of(arrays, &submitted.silent);
  for (std::size_t i = 1; i <= plan.shards; ++i) {
    submitted.parts.push_back(part_of(plan, i, cases));
    if (const auto found = queue.find(i); found != queue.end()) submitted.parts.back().queued = found->second;
  }
  return submitted;
}

ExitCode print_standing(const SweepPlan& plan, bool json) {
  const Submitted submitted = look_at(plan);
  Table table;
  table.columns = {{"part", "part", Unit::count},       {"state"},
                   {"cases", "cases", Unit::count},     {"measured", "measured", Unit::count},
                   {"bad", "bad", Unit::count},         {"skipped", "skipped", Unit::count},
                   {"missing", "missing", Unit::count}, {"why", "why", Unit::text, 0, true}};
  cluster::Standing all;
  std::size_t done = 0;
  for (std::size_t i = 0; i < submitted.parts.size(); ++i) {
    const SubmittedPart& part = submitted.parts[i];
    const cluster::Standing& s = part.standing;
    const auto number = [](std::size_t n) { return Cell(static_cast<std::int64_t>(n)); };
    table.rows.push_back({number(i + 1), state_of(part), number(s.cases), number(s.measured), number(s.bad),
                          number(s.skipped), number(s.missing), why(plan, i + 1, part)});
    all.cases += s.cases, all.measured += s.measured, all.bad += s.bad, all.skipped += s.skipped,
        all.missing += s.missing;
    done += !part.queued && s.complete();
  }
  table.note = fmt::format("{} of {} parts are done; of {} cases {} are measured, {} missing.", done,
                           plan.shards, all.cases, all.measured, all.missing);
  for (const std::string& text :
       {unlike_machines(submitted),
        submitted.silent.empty() ? "" : "The queue does not answer: " + submitted.silent})
    if (!text.empty()) table.note += "\n" + text;
  print(table, json);
  return ExitCode::ok;
}

ExitCode merge_parts(const SweepPlan& plan) {
  std::vector<Results> parts;
  for (std::size_t i = 1; i <= plan.shards; ++i)
    if (has_content(plan.shard_file(i))) parts.push_back(read_results(plan.shard_file(i)));
  if (!parts.empty()) {
    ResultsFile into(plan.output, ResultsFile::Mode::write);
    for (const Results& part : parts) merge(part, into);
  }
  const std::vector<Case> cases = cases_of(plan);
  std::vector<std::size_t> lacking;
  std::size_t missing = 0;
  const Results all = parts.empty() ? Results() : read_results(plan.output);
  for (std::size_t i = 1; i <= plan.shards; ++i) {
    const cluster::Standing standing = cluster::standing_of(shard_of(cases, {i, plan.shards}), all);
    if (!standing.complete()) lacking.push_back(i);
    missing += standing.missing;
  }
  std::printf("%s: %s of %s\n", plan.output.c_str(), plural(all.measurements.size(), "measurement").c_str(),
              plural(all.sessions.size(), "session").c_str());
  if (missing == 0) return ExitCode::ok;
  std::fprintf(stderr,
               "%zu of %zu cases are missing, in part %s. Submit them again: sextant submit --again %s\n",
               missing, cases.size(), cluster::index_text(lacking).c_str(), plan.output.c_str());
  return ExitCode::budget;
}

}  // namespace sextant
