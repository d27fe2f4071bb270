// The user kernels that a worker loads before its first case.
#pragma once

#include <string>
#include <vector>

namespace sextant {

struct Load {
  std::string path, code;  // code empty: whatever it is now
  std::string asked = {};  // a line of own::Asked (own/description/asked.hpp); empty: nothing
};

// Loads all of them (own/kernel/load.hpp). Throws UserError at the first that cannot be loaded.
void load_all(const std::vector<Load>& loads);

}  // namespace sextant
