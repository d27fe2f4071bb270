// What a worker process is asked besides cases: the machine, ceilings, what it has loaded.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/process/worker_command.hpp"
#include "record/case.hpp"
#include "record/environment.hpp"

namespace sextant {

// Asked of a worker: the machine as it is, for which the worker has so many seconds, and a device's ceilings
// (quick ones take a few seconds). Throw UserError where it ends, or does not answer in time.
Environment ask_environment(const WorkerCommand& worker, double seconds = 300);
// What is wrong with what a worker of this command has loaded, kernel by kernel; empty if nothing is. Throws
// UserError if it cannot be loaded, or if the worker does not survive it.
std::vector<std::string> ask_forms(const WorkerCommand& worker);
std::vector<Ceiling> ask_ceilings(const WorkerCommand& worker, const std::string& device,
                                  CeilingPart part = CeilingPart::all);

// Cases one for each library of offloaded code that the cases on GPUs need.
std::vector<Case> one_for_each_library(const std::vector<Case>& cases);
// Has the command's idle worker, or a new one that stays as such, load the code of these cases. Where it does
// not come to an end, or `stop` says so, the worker is ended, and whoever measures starts another.
void ask_to_load_code(const WorkerCommand& worker, const std::vector<Case>& cases,
                      const std::function<bool()>& stop);

}  // namespace sextant
