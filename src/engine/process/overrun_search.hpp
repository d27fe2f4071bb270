// Locates out-of-bounds accesses to arrays in a user's host code. It runs the case again in a worker with
// AddressSanitizer.
#pragma once

#include <string>

#include "engine/form/settings.hpp"
#include "engine/process/worker_command.hpp"
#include "record/case.hpp"

namespace sextant {

// Returns a text such as "writes y[1000] of 1000 elements, saxpy.cpp:14", or an empty string if nothing was
// found. Nothing is found if the code was not compiled from a user's file or the compiler has no sanitizer.
// The same holds if Sextant itself is built with a sanitizer.
std::string find_overrun(const WorkerCommand& command, const Case& what, Settings settings);

// Does the same for a case whose result is right. A variant of the function that is the reference needs no
// search, as the references are searched when they are loaded.
std::string find_hidden_overrun(const WorkerCommand& command, const Case& what, const Settings& settings);

// Does the same for the reference functions of all loaded user kernels. The worker runs them at small sizes.
std::string find_overrun_of_references(const WorkerCommand& command);

// Returns a compute-sanitizer command that checks a CUDA case of a user's file. It is empty for other cases.
std::string sanitizer_command(const WorkerCommand& command, const Case& what);

}  // namespace sextant
