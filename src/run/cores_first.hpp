// Measures the cases for several cores before the other cases of a sweep.
#pragma once

#include <vector>

#include "engine/form/callbacks.hpp"
#include "engine/form/settings.hpp"
#include "engine/process/worker_command.hpp"
#include "run/cores.hpp"
#include "run/sweep.hpp"

namespace sextant {

// Measures the cases of `on_cores` concurrently on several cores, and a GPU's cases at the same time if that
// is wanted. Then measures the other cases. Adds the stage times to `times` unless it is null.
void sweep_cores_first(const std::vector<Case>& cases, const Settings& settings, const WorkerCommand& worker,
                       const OnCores& on_cores, Callbacks callbacks, StageTimes* times);

}  // namespace sextant
