#include "cli/run/visiting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/plural.hpp"
#include "cli/options/invocation.hpp"
#include "engine/concurrent/core_slots.hpp"
#include "engine/process/worker_command.hpp"
#include "present/format.hpp"
#include "record/keys.hpp"
#include "run/pace.hpp"

namespace sextant {
namespace {

struct VisitLimits {
  double seconds;    // total time of all visits
  int processes;     // number of processes that measure a case, including the first one
  bool only_open;    // true to visit only the contenders of undecided problems
  int last_process;  // number of the last process that visited cases of this session
};

struct Visited {
  int processes = 0;
  bool interrupted = false;
};

// Returns the distribution for one round of visits. Each of its workers is a new process. Only cases that
// compute for long are visited on several cores, because concurrent visits made the times of short cases
// longer.
Distribution distribution_of(const std::vector<Case>& cases, const OnCores& on_cores) {
  std::set<std::string> keys;
  for (const Case& one : cases) keys.insert(key_of(one));
  Distribution distribution;
  OnCores& these = distribution.on_cores;
  std::copy_if(on_cores.cases.begin(), on_cores.cases.end(), std::back_inserter(these.cases),
               [&](const Case& one) { return computes_for_long(one) && keys.contains(key_of(one)); });
  these.slots = on_cores.slots;
  for (WorkerSlot& slot : these.slots) slot.worker.idle = nullptr;
  return distribution;
}

// Stores cases that were visited, about twice a second and at its end. A transaction for each visit would
// delay the next ones.
class Storing {
 public:
  Storing(ResultsFile* file, std::int64_t session) : file_(*file), session_(session) {}
  ~Storing() {
    try {
      store();
    } catch (const std::exception&) {
      // an earlier error ends the visits
    }
  }
  Storing(const Storing&) = delete;
  Storing& operator=(const Storing&) = delete;

  void add(Measurement measurement) {
    constexpr double interval = 0.5;  // seconds
    waiting_[key_of(measurement.what)] = std::move(measurement);
    if (now() - stored_ > interval) store();
  }

  void store() {
    stored_ = now();
    if (waiting_.empty()) return;
    file_.add_together([this] {
      for (const auto& [key, measurement] : waiting_) file_.add(session_, measurement);
    });
    waiting_.clear();
  }

 private:
  ResultsFile& file_;
  std::int64_t session_;
  std::map<std::string, Measurement> waiting_;
  double stored_ = now();
};

Visited visit(const Visiting& run, std::int64_t session, const VisitLimits& limits, Visits* visits,
              Outcome* outcome) {
  const Settings settings = visit_settings(run.request.settings);
  const double began = now();
  Visited visited;
  StageTimes spent;
  Ending ending = Ending::complete;
  while (limits.last_process + visited.processes + 1 < limits.processes && ending == Ending::complete) {
    const std::vector<Case> cases = visits->next(began + limits.seconds - now(), limits.only_open);
    if (cases.empty()) break;
    const int process = limits.last_process + ++visited.processes;
    Storing storing(&run.file, session);
    const auto keep = [&](const Measurement& visit) {
      const std::optional<Measurement> known = visits->add(process, visit);
      if (!known) return;
      storing.add(*known);
      if (known->status == Status::wrong) count(*known, run.environment, outcome);
    };
    ending = sweep(cases, settings, 0, worker_command(), run.environment, run.progress, keep, &spent,
                   distribution_of(cases, run.on_cores))
                 .ending;
    storing.store();
  }
  double in_stages = 0;
  for (const auto& [stage, seconds] : spent)
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      run.timings.visits[stage][i] += seconds[i];
      in_stages += seconds[i];
    }
  run.timings.add("starting other processes for visits", now() - began - in_stages);
  visited.interrupted = ending == Ending::interrupted;
  return visited;
}

std::string text_of(const Visits& visits, int processes) {
  std::map<Decision, std::size_t> count = visits.decisions();
  const std::size_t all = count[Decision::faster] + count[Decision::equal] + count[Decision::open];
  std::string text = fmt::format("{} measured {} again. The fastest variant is certain for {} of {}",
                                 plural(processes, "more process"), plural(visits.visited(), "case"),
                                 count[Decision::faster], plural(all, "problem"));
  if (const std::size_t equal = count[Decision::equal])
    text += fmt::format(". For {} of them, the fastest variants are equal within {:.0f} %", equal,
                        100 * equal_within());
  if (const std::size_t open = count[Decision::open]) {
    text += fmt::format(". For {} of them, the fastest variant is not yet certain", open);
    if (const double seconds = visits.seconds_to_decide(); seconds > 0)
      text += fmt::format(". About {:.0f} s more may decide (`{} --decide`)", std::max(1.0, seconds),
                          command_line("--fresh"));
  }
  return text;
}

// Returns the newest measurement of each case in `asked`, by session. Only sessions of this machine and build
// whose cases were measured again count.
std::map<std::int64_t, Visits> held_visits(const Visiting& run, const std::vector<Case>& asked,
                                           const Results& results) {
  std::set<std::string> keys;
  for (const Case& one : asked) keys.insert(key_of(one));
  std::set<std::int64_t> sessions;
  const auto same = [&](const Session& session, const char* key) {
    return value_of(session.environment, key) == value_of(run.environment, key);
  };
  for (const Session& session : results.sessions)
    if (same(session, "machine") && same(session, "git_revision") && session.version == SEXTANT_VERSION &&
        !value_of(session.environment, most_visits_key).empty())
      sessions.insert(session.id);
  std::map<std::string, const StoredMeasurement*> newest;
  for (const StoredMeasurement& stored : results.measurements)
    if (const std::string key = key_of(stored.measurement.what);
        sessions.contains(stored.session) && keys.contains(key))
      newest[key] = &stored;
  std::map<std::int64_t, Visits> all;
  for (const auto& [key, stored] : newest) all[stored->session].add(stored->measurement);
  return all;
}

}  // namespace

void visit_after_first(const Visiting& run, std::int64_t session, double first, Visits* visits,
                       Outcome* outcome) {
  const VisitLimits limits{most_seconds_of_visits(first), run.request.visits, false, 0};
  const Visited visited = visit(run, session, limits, visits, outcome);
  if (visited.processes > 0) run.progress.message(text_of(*visits, visited.processes));
}

void decide(const Visiting& run, const std::vector<Case>& asked, Outcome* outcome) {
  constexpr int most = 40;
  constexpr double unlimited = 1e9;
  int processes = 0;
  bool any = false;
  for (auto& [session, visits] : held_visits(run, asked, run.file.load())) {
    any = true;
    const int last = visits.last_process();
    const VisitLimits limits{run.request.budget > 0 ? run.request.budget : unlimited, last + most, true,
                             last};
    const Visited visited = visit(run, session, limits, &visits, outcome);
    if (visited.processes > 0) run.progress.message(text_of(visits, visited.processes));
    processes += visited.processes;
    if (visited.interrupted) break;
  }
  if (!any)
    run.progress.message(
        "--decide measures nothing, because the file holds no cases of this machine and this build");
  else if (processes == 0)
    run.progress.message(
        "--decide measures nothing, because more processes cannot decide which variant is fastest");
}

std::string text_of(const Widths& widths, const std::string& load) {
  if (widths.timed + widths.few == 0) return {};
  std::string text;
  if (widths.timed > 0 && widths.wide == 0)
    text = "every time is known to ± 5 % or better";
  else if (widths.timed > 0)
    text = fmt::format("{} of {} may differ by more than 5 % in another run{}", widths.wide,
                       plural(widths.timed, "time"), load.empty() ? "" : " (" + load + ")");
  if (widths.few > 0)
    text +=
        fmt::format("{}{} of {} {} too few samples to tell how certain it is", text.empty() ? "" : "; ",
                    widths.few, plural(widths.timed + widths.few, "time"), widths.few == 1 ? "has" : "have");
  return text;
}

std::string load_text() {
  double load = 0;
  if (getloadavg(&load, 1) != 1) return {};
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  return fmt::format("load average {:.1f} on {}", load, plural(processors, "processor"));
}

}  // namespace sextant
