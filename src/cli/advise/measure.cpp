#include "cli/advise/measure.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/error.hpp"
#include "cli/options/invocation.hpp"
#include "engine/case/sampling.hpp"
#include "engine/form/unmeasured.hpp"
#include "plan/describe.hpp"
#include "predict/first_uses.hpp"
#include "record/keys.hpp"
#include "run/held.hpp"
#include "run/sweep.hpp"

namespace sextant {

std::optional<Case> next_to_measure(const std::vector<AnsweredQuestion>& answered,
                                    const std::vector<Case>& done) {
  for (const AnsweredQuestion& one : answered)
    for (const predict::Option option : one.advice.to_measure) {
      const auto& what = one.code[static_cast<std::size_t>(option)].what;
      const auto measured = [&](const Case& other) { return key_of(other) == key_of(*what); };
      if (what && std::none_of(done.begin(), done.end(), measured)) return what;
    }
  return std::nullopt;
}

Session session_of(const std::vector<Case>& cases, const Settings& settings, const AdviceGround& ground) {
  Session session;
  session.started = timestamp_now();
  session.command = command_line();
  session.version = SEXTANT_VERSION;
  session.environment = *ground.environment;
  record_settings(settings, &session.environment);
  session.ceilings = ground.profile.ceilings;
  std::erase_if(session.ceilings, predict::is_first_use);
  session.kernels = describe(cases);
  return session;
}

void measure_case(const Case& what, const AdviceGround& ground, const std::string& file, bool quiet) {
  ProgressReporter progress(quiet, inspect_terminal(STDERR_FILENO));
  const Settings settings;
  ResultsFile results(file, ResultsFile::Mode::write);
  const Session session = session_of({what}, settings, ground);
  const std::int64_t id = results.begin_session(session);
  results.add_ceilings(id, session.ceilings);
  progress.message("measuring " + describe(what));
  const Outcome outcome = sweep({what}, settings, 0, worker_command(), *ground.environment, progress,
                                [&](const Measurement& measurement) { results.add(id, measurement); });
  results.require_kept(id);
  if (!outcome.bad.empty()) print_bad(outcome);
  for (const std::string& why : outcome.skip_reasons)
    progress.message(describe(what) + " cannot be measured: " + why);
  if (outcome.ending == Ending::interrupted)
    throw UserError("interrupted. Run the same command again to continue", ExitCode::interrupted);
}

}  // namespace sextant
