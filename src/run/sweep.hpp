// What run and verify share: executing a plan with progress, a budget and a way out, and saying how it went.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "engine/concurrent/exclusive_section.hpp"
#include "engine/concurrent/work_queue.hpp"
#include "engine/form/settings.hpp"
#include "engine/process/worker_command.hpp"
#include "plan/plan.hpp"
#include "run/cores.hpp"
#include "run/progress.hpp"

namespace sextant {

enum class Ending : std::uint8_t { complete, budget_spent, interrupted };

// Cases that ended alike: of one variant, and with the same words.
struct BadCases {
  std::string first;  // "triad serial.native float N=300"
  std::string variant, ending;
  std::size_t count = 0;
};

struct Outcome {
  Ending ending = Ending::complete;
  std::array<std::size_t, 6> counts = {};  // by Status
  std::vector<BadCases> bad;               // what was wrong, failed or timed out
  std::vector<std::string> skip_reasons;   // each once
  std::size_t lacking = 0;                 // of the skipped: their device is not there
  std::size_t count(Status status) const { return counts[static_cast<std::size_t>(status)]; }
  std::size_t total() const;
};

// This program as a worker that has loaded what this process has; one process for all that are asked by the
// same WorkerCommand, one after the other. Its ranks are started by what --launcher, or SEXTANT_LAUNCHER,
// says.
WorkerCommand worker_command();

// Seconds by stage, of the CPU's cases and of the GPUs'.
using StageTimes = std::map<std::string, std::array<double, 2>>;

// Throws UserError (missing) if the selection names a GPU that the machine has not.
void require_device(const Selection& selection, const Environment& environment);

// Adds how a case ended to `outcome`; `environment` says which devices there are.
void count(const Measurement& measurement, const Environment& environment, Outcome* outcome);

// A sweep over several devices of one kind at a time.
struct Dealing {
  std::vector<Lane> lanes;  // empty: it is not dealt
  Beside beside = {};
  bool sentinels = false;                                           // whether they said so
  OnCores on_cores = {};                                            // these of the cases come first
  std::function<void(const std::function<void()>&)> together = {};  // as in Callbacks
  std::function<Measurement(const Measurement&)> judged = {};  // what counts of a measurement; null: itself
};

// Executes the cases; `measured` is called for each, with the progress bar out of the way. `budget` in
// seconds, 0: none. Adds to `times`, if it is there.
Outcome sweep(const std::vector<Case>& cases, const Settings& settings, double budget,
              const WorkerCommand& worker, const Environment& environment, ProgressReporter& progress,
              const std::function<void(const Measurement&)>& measured, StageTimes* times = nullptr,
              const Dealing& dealing = {});

// Adds what came of a later part of the same run, as which it then ends.
void add(const Outcome& later, Outcome* outcome);

// Both together, ended as the second.
Outcome joined(const Outcome& first, Outcome second);

// What the outcome is as an exit code: what went wrong first, then that nothing was measured, then the
// budget.
ExitCode exit_code_of(const Outcome& outcome);

// "12 ok, 3 skipped (no GPU …)": and, on standard error even if quiet, one line for each way in which a
// variant's results are bad.
std::string summary(const Outcome& outcome);
// "nothing was measured", with where to look if it is for want of a device; empty if a case's result could be
// checked.
std::string nothing_came(const Outcome& outcome, const std::string& done);
void print_bad(const Outcome& outcome);

}  // namespace sextant
