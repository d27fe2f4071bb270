// Executes cases in worker processes.
#pragma once

#include <memory>

#include "engine/form/callbacks.hpp"
#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/stage_scheduler.hpp"
#include "engine/process/worker_command.hpp"

namespace sextant {

// Creates an executor that uses one worker process at a time. It replaces the worker when it dies, hangs or
// loses its device. If `participant` has a scheduler, each stage of the worker waits for the scheduler's
// permission.
std::unique_ptr<CaseExecutor> make_worker_executor(const WorkerCommand& command, const Settings& settings,
                                                   const Callbacks& callbacks, Participant participant = {});

}  // namespace sextant
