// Executes the cases of a run with progress, a time budget and interruption, and summarizes the outcome. The
// commands `run` and `verify` use it.
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

// Cases of one variant that ended with the same status and reason.
struct BadCases {
  std::string first;  // the first of these cases, such as "triad serial.native float N=300"
  std::string variant, ending;
  std::size_t count = 0;
};

struct Outcome {
  Ending ending = Ending::complete;
  std::array<std::size_t, 6> counts = {};  // number of cases by Status
  std::vector<BadCases> bad;               // cases that were wrong, failed, timed out or impossible
  std::vector<std::string> skip_reasons;   // reasons for skipped cases, each once
  std::size_t lacking = 0;                 // number of skipped cases whose device is missing
  std::size_t count(Status status) const { return counts[static_cast<std::size_t>(status)]; }
  std::size_t total() const;
};

// Returns the command that starts this program as a worker process, with the user kernels that this process
// has loaded. All users of one WorkerCommand share one process, one after the other. --launcher or
// SEXTANT_LAUNCHER defines how MPI ranks are started.
WorkerCommand worker_command();

// Seconds by stage: first the sum over cases on the CPU, then over cases on GPUs.
using StageTimes = std::map<std::string, std::array<double, 2>>;

// Throws UserError (exit code `missing`) if the selection names a GPU that the machine lacks.
void require_device(const Selection& selection, const Environment& environment);

// Adds the result of a case to `outcome`. `environment` lists the devices of the machine.
void count(const Measurement& measurement, const Environment& environment, Outcome* outcome);

// How the cases of a sweep are distributed over several GPUs of one kind, or over CPU cores.
struct Distribution {
  std::vector<WorkerSlot> slots;  // worker slots of the GPUs; empty: cases are not distributed to GPUs
  Concurrency concurrency = {};
  bool sentinels = false;  // true if sentinels (run/sentinels.hpp) were measured
  OnCores on_cores = {};   // cases on several cores; they are measured first
  std::function<void(const std::function<void()>&)> together = {};  // as Callbacks::together
  // Returns the measurement to store instead of the given one. If empty, measurements are stored unchanged.
  std::function<Measurement(const Measurement&)> judged = {};
};

// Executes the cases. Calls `measured` for each result, with the progress bar removed. `budget` is in
// seconds; 0 means none. Adds the stage times to `times` unless it is null.
Outcome sweep(const std::vector<Case>& cases, const Settings& settings, double budget,
              const WorkerCommand& worker, const Environment& environment, ProgressReporter& progress,
              const std::function<void(const Measurement&)>& measured, StageTimes* times = nullptr,
              const Distribution& distribution = {});

// Adds the outcome of a later part of the same run to `outcome`, including how the run ended.
void add(const Outcome& later, Outcome* outcome);

// Returns the sum of both outcomes. How the run ended is taken from the second.
Outcome joined(const Outcome& first, Outcome second);

// Returns the exit code for the outcome. Bad results have precedence over "nothing was measured", and that
// has precedence over a spent budget.
ExitCode exit_code_of(const Outcome& outcome);

// Returns a text such as "12 ok, 3 skipped (no GPU …)". print_bad() writes one line to standard error for
// each variant and kind of bad result, even if the run is quiet.
std::string summary(const Outcome& outcome);
// Returns "nothing was measured", with advice if a device is missing. The text is empty if at least one case
// was checked.
std::string nothing_came(const Outcome& outcome, const std::string& done);
void print_bad(const Outcome& outcome);

}  // namespace sextant
