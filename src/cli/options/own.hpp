// The user's own kernels, as the command line names them.
#pragma once

#include <string>
#include <vector>

#include "engine/process/worker_command.hpp"
#include "own/description/asked.hpp"

namespace sextant {

// Loads the paths of the environment variable SEXTANT_KERNELS (colons between), then `paths`, once each; each
// after a worker process has survived it and found its forms in order. What is `asked` is asked of the only
// one of `paths`. One of several `paths` that cannot be loaded is left out with a line on standard error.
// Throws UserError if none can.
void load_own(const std::vector<std::string>& paths, const own::Asked& asked = {});

// What can be loaded, with whole paths.
struct Loadable {
  std::string path;
  own::Asked asked;
};

// What the user names, after a worker process has survived it and found its forms in order. Throws UserError.
Loadable loadable(const std::string& path, const own::Asked& asked);

// This program as a worker that loads it and nothing else.
WorkerCommand worker_with(const Loadable& one);

}  // namespace sextant
