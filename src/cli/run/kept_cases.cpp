#include "cli/run/kept_cases.hpp"

#include <fmt/format.h>

#include <set>

#include "plan/describe.hpp"
#include "record/keys.hpp"
#include "run/held.hpp"

namespace sextant {
namespace {

// Removes from the request the cases whose results are known, and returns their outcome. Known baselines give
// the speed-ups of the remaining cases.
Outcome leave_out_known(const Results& results, const RunOptions& options, const Environment& environment,
                        ProgressReporter& progress, RunRequest* request, MeasurementRows* rows,
                        Rounds* rounds) {
  const std::string machine = value_of(environment, "machine");
  std::set<std::int64_t> sessions;
  for (const Session& session : results.sessions)
    if (machine_of(session) == machine) sessions.insert(session.id);
  if (!options.fresh)
    for (const StoredMeasurement& stored : results.measurements)
      if (sessions.contains(stored.session)) {
        rows->remember(stored.measurement);
        rounds->add(stored.measurement);
      }
  Held held = hold_against(results, environment, request->cases, request->settings,
                           {.all = options.fresh, .bad = options.retry, .alike = !options.devices.empty()});
  if (!held.known.empty())
    progress.message(fmt::format("{} already holds {} of the {} cases. --fresh measures them again",
                                 options.file, held.known.size(), request->cases.size()));
  if (held.changed > 0 && !options.fresh)
    progress.message(
        fmt::format("{} of the cases in {} are measured again, because the code of their kernel has changed",
                    held.changed, options.file));
  if (held.again > 0 && !options.fresh)
    progress.message(
        fmt::format("{} of the cases in {} are measured again, because they failed or this command needs "
                    "more of them, such as more samples",
                    held.again, options.file));
  if (held.unfinished > 0 && !options.fresh)
    progress.message(
        fmt::format("{} of the cases in {} are measured again, because each was the fastest tuning of a "
                    "search that was stopped",
                    held.unfinished, options.file));
  Outcome outcome;
  for (const Measurement* known : held.known) count(*known, environment, &outcome);
  std::size_t bad = 0;
  for (const BadCases& cases : outcome.bad) bad += cases.count;
  if (bad > 0)
    progress.message(
        fmt::format("{} of the stored cases are wrong or failed. --retry measures them again", bad));
  request->cases = std::move(held.open);
  rounds->plan(request->cases, request->whole_suite, request->settings.timeout);
  return outcome;
}

// Throws UserError if another build began this shard of a plan. Another build may divide the plan
// differently.
void require_same_build(const Results& results, const Environment& environment, const std::string& path) {
  for (const Session& session : results.sessions) {
    const std::string then = value_of(session.environment, "git_revision"),
                      today = value_of(environment, "git_revision");
    if (session.version == SEXTANT_VERSION && then == today) continue;
    throw UserError(
        fmt::format("{} was begun by Sextant {}, revision {}, but this program is Sextant {}, revision {}. "
                    "The two may divide the cases of --shard differently. Continue with the first program, "
                    "or name another file with -o.",
                    path, session.version, then, SEXTANT_VERSION, today));
  }
}

}  // namespace

Outcome take_from_file(ResultsFile& file, const RunOptions& options, const Environment& environment,
                       ProgressReporter& progress, RunRequest* request, MeasurementRows* rows,
                       Rounds* rounds) {
  const Results results = file.load();
  if (!options.shard.empty()) require_same_build(results, environment, options.file);
  const std::vector<std::string> others = other_threads(results, environment, request->cases);
  if (!others.empty())
    progress.message(fmt::format(
        "{} also holds cases with other numbers of threads ({}). These cases stay in the file as they are",
        options.file, fmt::join(others, "; ")));
  return leave_out_known(results, options, environment, progress, request, rows, rounds);
}

}  // namespace sextant
