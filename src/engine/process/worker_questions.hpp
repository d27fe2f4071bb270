// Asks worker processes for other things than measurements: the machine, its ceilings (peak rates), and
// errors in loaded user kernels.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/process/worker_command.hpp"
#include "record/case.hpp"
#include "record/environment.hpp"

namespace sextant {

// Asks a worker about the machine. ask_ceilings() asks for a device's ceilings, which takes at least a few
// seconds. Both throw UserError if the worker ends or does not answer in time; `seconds` is the limit of
// ask_environment().
Environment ask_environment(const WorkerCommand& worker, double seconds = 300);
// Returns the errors in the user kernels that a worker of this command has loaded, one text per kernel.
// Throws UserError if they cannot be loaded or the worker crashes.
std::vector<std::string> ask_forms(const WorkerCommand& worker);
std::vector<Ceiling> ask_ceilings(const WorkerCommand& worker, const std::string& device,
                                  CeilingPart part = CeilingPart::all);

// Selects the first case for each shared library of OpenACC or OpenMP target code that the GPU cases need.
std::vector<Case> one_for_each_library(const std::vector<Case>& cases);
// Loads the code of these cases in the command's idle worker, or in a new one that then becomes the idle
// worker. If that takes too long, or `stop` returns true, the worker is killed, and the next measurement
// starts another.
void ask_to_load_code(const WorkerCommand& worker, const std::vector<Case>& cases,
                      const std::function<bool()>& stop);

}  // namespace sextant
