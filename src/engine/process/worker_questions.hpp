// Questions to a worker process other than cases: the machine, its ceilings, and loaded kernels.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/process/worker_command.hpp"
#include "record/case.hpp"
#include "record/environment.hpp"

namespace sextant {

// Asks a worker about the machine. ask_ceilings() asks for a device's ceilings, which takes at least a few
// seconds. Both throw UserError if the worker ends or does not answer in time; `seconds` is the limit here.
Environment ask_environment(const WorkerCommand& worker, double seconds = 300);
// Returns the errors in the kernels that a worker of this command has loaded, one text per kernel. Throws
// UserError if they cannot be loaded or the worker crashes.
std::vector<std::string> ask_forms(const WorkerCommand& worker);
std::vector<Ceiling> ask_ceilings(const WorkerCommand& worker, const std::string& device,
                                  CeilingPart part = CeilingPart::all);

// Selects one case for each shared library of offloaded code that the GPU cases need.
std::vector<Case> one_for_each_library(const std::vector<Case>& cases);
// Loads the code of these cases in the command's idle worker, or in a new one that then becomes the idle
// worker. If that takes too long, or `stop` returns true, the worker is killed. The next measurement then
// starts another.
void ask_to_load_code(const WorkerCommand& worker, const std::vector<Case>& cases,
                      const std::function<bool()>& stop);

}  // namespace sextant
