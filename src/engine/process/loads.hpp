// User kernels that a worker loads before its first case.
#pragma once

#include <string>
#include <vector>

namespace sextant {

struct Load {
  // `path` is the file or library of a kernel, `code` the expected hash of its code; empty: accept any code
  std::string path, code;
  // the user's options for this kernel, own::Asked as one line (own/description/asked.hpp); empty: none
  std::string asked = {};
};

// Loads all kernels of the list (own/kernel/load.hpp). Throws UserError at the first that cannot be loaded.
void load_all(const std::vector<Load>& loads);

}  // namespace sextant
