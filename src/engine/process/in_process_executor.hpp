// Executes cases in this process instead of a worker, for debuggers, sanitizers and searches.
#pragma once

#include <memory>

#include "engine/form/callbacks.hpp"
#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"

namespace sextant {

std::unique_ptr<CaseExecutor> make_in_process_executor(const Settings& settings, const Callbacks& callbacks);

}  // namespace sextant
