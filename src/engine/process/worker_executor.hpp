// Executes cases in worker processes.
#pragma once

#include <memory>

#include "engine/form/callbacks.hpp"
#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/stage_scheduler.hpp"
#include "engine/process/worker_command.hpp"

namespace sextant {

// Uses one worker at a time, and replaces it when it dies, hangs or loses its device. With a participant,
// each of its stages waits for the scheduler.
std::unique_ptr<CaseExecutor> make_worker_executor(const WorkerCommand& command, const Settings& settings,
                                                   const Callbacks& callbacks, Participant participant = {});

}  // namespace sextant
