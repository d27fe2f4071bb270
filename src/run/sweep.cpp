#include "run/sweep.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "base/plural.hpp"
#include "engine/executor.hpp"
#include "engine/process/rank_command.hpp"
#include "own/kernel/load.hpp"
#include "record/place.hpp"
#include "run/cores_first.hpp"
#include "run/interrupt.hpp"
#include "run/late_before.hpp"

namespace sextant {
namespace {

constexpr std::size_t most_bad_lines = 20;

void add_once(std::vector<std::string>* list, const std::string& text) {
  if (std::find(list->begin(), list->end(), text) == list->end()) list->push_back(text);
}

void add_bad(const BadCases& cases, std::vector<BadCases>* list) {
  for (BadCases& one : *list)
    if (one.variant == cases.variant && one.ending == cases.ending) {
      one.count += cases.count;
      return;
    }
  list->push_back(cases);
}

}  // namespace

void count(const Measurement& measurement, const Environment& environment, Outcome* outcome) {
  ++outcome->counts[static_cast<std::size_t>(measurement.status)];
  if (measurement.status == Status::ok) return;
  if (measurement.status == Status::skipped) {
    add_once(&outcome->skip_reasons, measurement.reason);
    if (!has_device(environment, measurement.what.device)) ++outcome->lacking;
  } else {
    add_bad({describe(measurement.what), measurement.what.kernel + " " + measurement.what.variant,
             std::string(name_of(measurement.status)) + ": " + measurement.reason, 1},
            &outcome->bad);
  }
}

std::size_t Outcome::total() const { return std::accumulate(counts.begin(), counts.end(), std::size_t{0}); }

WorkerCommand worker_command() {
  WorkerCommand command{{"/proc/self/exe", "worker"}, no_worker_yet()};
  if (const char* launcher = std::getenv("SEXTANT_LAUNCHER")) command.launcher = launcher;
  for (const Loaded& one : loaded())
    command.arguments.insert(command.arguments.end(),
                             {"--load", one.path, "--code", one.code, "--asked", own::text_of(one.asked)});
  return command;
}

void require_device(const Selection& selection, const Environment& environment) {
  const std::vector<std::string> places = places_in(selection.device);
  for (const std::string& place : places)
    if (ranks_of(place) > 0) require_ranks(worker_command().launcher);
  const auto lacking = std::find_if(places.begin(), places.end(), [&](const std::string& place) {
    return !place.empty() && !has_device(environment, place);
  });
  if (lacking == places.end()) return;
  std::string devices = "cpu";
  for (int i = 0; environment.contains("gpu" + std::to_string(i) + ".name"); ++i)
    devices += ", gpu" + std::to_string(i);
  const auto why = environment.find("gpus.missing");
  throw UserError("this machine has no device " + *lacking + ". It has only " + devices +
                      (devices == "cpu" && why != environment.end() ? " (" + why->second + ")" : "") +
                      ". `sextant list devices` lists them.",
                  ExitCode::missing);
}

Outcome sweep(const std::vector<Case>& cases, const Settings& settings, double budget,
              const WorkerCommand& worker, const Environment& environment, ProgressReporter& progress,
              const std::function<void(const Measurement&)>& measured, StageTimes* times,
              const Distribution& distribution) {
  SteadyClock clock;
  const double start = clock.now();
  const InterruptGuard guard;
  Outcome outcome;
  bool told = false;
  Callbacks callbacks;
  LateBefore late;
  if (settings.check_only) callbacks.refuse = [&](const Case& what) { return late.why_not(what); };
  callbacks.measured = [&](const Measurement& taken) {
    const Measurement measurement = distribution.judged ? distribution.judged(taken) : taken;
    late.add(measurement);
    count(measurement, environment, &outcome);
    progress.clear();
    measured(measurement);
  };
  callbacks.together = distribution.together;
  callbacks.progress = [&](const Progress& now) { progress.update(now); };
  callbacks.message = [&](const std::string& text) { progress.message(text); };
  callbacks.stop = [&] {
    if (InterruptGuard::interrupted()) {
      if (!told)
        progress.message("interrupted: finishing the running case (interrupt again to stop at once)");
      told = true;
      outcome.ending = Ending::interrupted;
    } else if (budget > 0 && clock.now() - start > budget) {
      outcome.ending = Ending::budget_spent;
    }
    return outcome.ending != Ending::complete;
  };
  if (times)
    callbacks.spent = [&](const Case& what, Stage stage, double seconds) {
      (*times)[name_of(stage)][is_on_cpu(what.device) ? 0 : 1] += seconds;
    };
  if (!distribution.on_cores.cases.empty())
    sweep_cores_first(cases, with_seed(settings), worker, distribution.on_cores, callbacks, times);
  else if (distribution.slots.empty())
    execute(cases, settings, worker, callbacks);
  else
    execute_distributed(cases, settings, distribution.slots, callbacks, distribution.concurrency);
  progress.clear();
  if (outcome.total() == cases.size()) outcome.ending = Ending::complete;
  return outcome;
}

void add(const Outcome& later, Outcome* outcome) {
  Outcome all = joined(*outcome, later);
  all.bad = outcome->bad;
  for (const BadCases& cases : later.bad) add_bad(cases, &all.bad);
  all.skip_reasons = outcome->skip_reasons;
  for (const std::string& reason : later.skip_reasons) add_once(&all.skip_reasons, reason);
  *outcome = std::move(all);
}

Outcome joined(const Outcome& first, Outcome second) {
  for (std::size_t i = 0; i < first.counts.size(); ++i) second.counts[i] += first.counts[i];
  second.lacking += first.lacking;
  return second;
}

ExitCode exit_code_of(const Outcome& outcome) {
  if (outcome.ending == Ending::interrupted) return ExitCode::interrupted;
  if (outcome.count(Status::wrong) + outcome.count(Status::impossible) + outcome.count(Status::failed) +
          outcome.count(Status::timed_out) >
      0)
    return ExitCode::check_failed;
  if (outcome.ending == Ending::budget_spent) return ExitCode::budget;
  if (outcome.count(Status::ok) > 0 || outcome.total() == 0) return ExitCode::ok;
  return outcome.lacking == outcome.total() ? ExitCode::missing : ExitCode::check_failed;
}

std::string summary(const Outcome& outcome) {
  std::string text;
  for (const Status status :
       {Status::ok, Status::wrong, Status::impossible, Status::failed, Status::timed_out, Status::skipped}) {
    if (outcome.count(status) == 0 && status != Status::ok) continue;
    const std::string name = status == Status::timed_out ? "timed out" : name_of(status);
    text += (text.empty() ? "" : ", ") + std::to_string(outcome.count(status)) + " " + name;
  }
  if (outcome.skip_reasons.empty()) return text;
  text += " (" + outcome.skip_reasons.front();
  if (outcome.skip_reasons.size() > 1)
    text += "; and " + plural(outcome.skip_reasons.size() - 1, "other reason");
  return text + ")";
}

std::string nothing_came(const Outcome& outcome, const std::string& done) {
  const std::size_t checked =
      outcome.count(Status::ok) + outcome.count(Status::wrong) + outcome.count(Status::impossible);
  if (checked > 0 || outcome.total() == 0) return "";
  return "nothing was " + done +
         (exit_code_of(outcome) == ExitCode::missing ? ": `sextant doctor` shows remedies" : "");
}

void print_bad(const Outcome& outcome) {
  std::fflush(stdout);
  std::size_t lines = 0, more = 0;
  for (const BadCases& cases : outcome.bad) {
    if (++lines > most_bad_lines)
      more += cases.count;
    else if (cases.count == 1)
      std::fprintf(stderr, "  %s: %s\n", cases.first.c_str(), cases.ending.c_str());
    else
      std::fprintf(stderr, "  %s and %s: %s\n", cases.first.c_str(),
                   plural(cases.count - 1, "other case").c_str(), cases.ending.c_str());
  }
  if (more > 0) std::fprintf(stderr, "  and %zu more\n", more);
}

}  // namespace sextant
