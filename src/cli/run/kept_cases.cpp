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
    progress.message(fmt::format("{} holds {} of {} cases already; --fresh measures them again", options.file,
                                 held.known.size(), request->cases.size()));
  if (held.changed > 0 && !options.fresh)
    progress.message(
        fmt::format("{} of the cases in {} are measured again: the code of their kernel has changed",
                    held.changed, options.file));
  if (held.again > 0 && !options.fresh)
    progress.message(fmt::format(
        "{} of the cases in {} are measured again: they did not end well, or this command asks for more",
        held.again, options.file));
  if (held.unfinished > 0 && !options.fresh)
    progress.message(fmt::format(
        "{} of the cases in {} are measured again: each was the fastest of a search that was stopped",
        held.unfinished, options.file));
  Outcome outcome;
  for (const Measurement* known : held.known) count(*known, environment, &outcome);
  std::size_t bad = 0;
  for (const BadCases& cases : outcome.bad) bad += cases.count;
  if (bad > 0) progress.message(fmt::format("{} of them did not end well; --retry measures them again", bad));
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
        fmt::format("{} was begun by Sextant {}, revision {}, and this is {}, revision {}. Their parts of "
                    "--shard may differ. Continue with that build, or name another file with -o.",
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
    progress.message(
        fmt::format("{} holds cases with other numbers of threads ({}). They keep their own rows",
                    options.file, fmt::join(others, "; ")));
  return leave_out_known(results, options, environment, progress, request, rows, rounds);
}

}  // namespace sextant
