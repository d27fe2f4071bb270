// Loads the user kernels that the command line names.
#pragma once

#include <string>
#include <vector>

#include "engine/process/worker_command.hpp"
#include "own/description/asked.hpp"

namespace sextant {

// Loads each path in SEXTANT_KERNELS (separated by colons), then each of `paths`. Each path is loaded only
// once, after a worker process has loaded it and checked its kernels. `asked` applies to a single entry in
// `paths`; with several entries it is an error. If only some of `paths` fail, each failure is reported on
// standard error and that path is left out. Throws UserError if a path in SEXTANT_KERNELS fails, or if all
// `paths` fail.
void load_own(const std::vector<std::string>& paths, const own::Asked& asked = {});

// A user kernel that can be loaded. All its paths are absolute.
struct Loadable {
  std::string path;
  own::Asked asked;
};

// Checks a path in a worker process. The worker must load the path without a crash and must accept its
// kernels. Throws UserError.
Loadable loadable(const std::string& path, const own::Asked& asked);

// Returns the command that starts this program as a worker process that loads only this kernel.
WorkerCommand worker_with(const Loadable& one);

}  // namespace sextant
