// Runs planned cases, each isolated in a worker process, and hands over every measurement as it ends.
#pragma once

#include <vector>

#include "engine/case/sampling.hpp"
#include "engine/form/callbacks.hpp"
#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"
#include "engine/process/worker_command.hpp"

namespace sextant {

void execute(const std::vector<Case>& cases, const Settings& settings, const WorkerCommand& worker,
             const Callbacks& callbacks);

// The loop of `execute` over all cases; tests bring their own executor and clock.
void run_all(const std::vector<Case>& cases, CaseExecutor& executor, const Callbacks& callbacks,
             Clock& clock);

}  // namespace sextant
