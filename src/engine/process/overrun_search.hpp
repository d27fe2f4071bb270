// Where code of a user's file on the host reads or writes outside of its arrays: its case once more, in a worker with AddressSanitizer.
#pragma once

#include <string>

#include "engine/form/settings.hpp"
#include "engine/process/worker_command.hpp"
#include "record/case.hpp"

namespace sextant {

// "writes y[1000] of 1000 elements, saxpy.cpp:14"; empty: nothing was found, or this cannot be looked for (code that was not compiled from a
// user's file, a compiler without the sanitizer, a build that has it itself).
std::string find_overrun(const WorkerCommand& command, const Case& what, Settings settings);

// The same of the references of what is loaded, which a worker tries at small sizes.
std::string find_overrun_of_references(const WorkerCommand& command);

// The command that finds it on a GPU, where the case is of CUDA in a user's file; else empty.
std::string sanitizer_command(const WorkerCommand& command, const Case& what);

}  // namespace sextant
