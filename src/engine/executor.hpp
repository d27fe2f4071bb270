// Runs a list of cases, by default in worker processes, and passes each measurement to the caller.
#pragma once

#include <vector>

#include "engine/case/sampling.hpp"
#include "engine/form/callbacks.hpp"
#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"
#include "engine/process/worker_command.hpp"

namespace sextant {

// Runs the cases in order. Throws UserError if no worker process starts.
void execute(const std::vector<Case>& cases, const Settings& settings, const WorkerCommand& worker,
             const Callbacks& callbacks);

// The loop over all cases that `execute` uses. Tests call it with their own executor and clock.
void run_all(const std::vector<Case>& cases, CaseExecutor& executor, const Callbacks& callbacks,
             Clock& clock);

}  // namespace sextant
