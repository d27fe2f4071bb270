// Loads the user's own kernels that the command line names.
#pragma once

#include <string>
#include <vector>

#include "engine/process/worker_command.hpp"
#include "own/description/asked.hpp"

namespace sextant {

// Loads each path in SEXTANT_KERNELS (separated by colons), then each of `paths`, once. A worker process
// first loads each path and checks its kernels. `asked` applies to the single entry of `paths`; several
// entries are an error then. If some of several `paths` fail, each is reported on standard error and left
// out. Throws UserError if a path in SEXTANT_KERNELS fails, or if all `paths` fail.
void load_own(const std::vector<std::string>& paths, const own::Asked& asked = {});

// A loadable kernel with absolute paths.
struct Loadable {
  std::string path;
  own::Asked asked;
};

// Checks a path in a worker process, which must survive loading it and accept its kernels. Throws UserError.
Loadable loadable(const std::string& path, const own::Asked& asked);

// Returns the command that starts this program as a worker that loads only this kernel.
WorkerCommand worker_with(const Loadable& one);

}  // namespace sextant
