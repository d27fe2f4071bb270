// The user kernels that a worker loads before its first case.
#pragma once

#include <string>
#include <vector>

namespace sextant {

struct Load {
  std::string path, code;  // `code`: expected hash of the kernel's code; empty: accept any.
  std::string asked = {};  // own::Asked as one line (own/description/asked.hpp); empty: none
};

// Loads all of them (own/kernel/load.hpp). Throws UserError at the first that cannot be loaded.
void load_all(const std::vector<Load>& loads);

}  // namespace sextant
