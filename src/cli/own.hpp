// The user's own kernels, as the command line names them.
#pragma once

#include <string>
#include <vector>

#include "own/description/asked.hpp"

namespace sextant {

// Loads the paths of the environment variable SEXTANT_KERNELS (colons between), then `paths`, once each; each after
// a worker process has survived it and found its forms in order. What is `asked` is asked of the only one of `paths`.
// Throws UserError.
void load_own(const std::vector<std::string>& paths, const own::Asked& asked = {});

}  // namespace sextant
