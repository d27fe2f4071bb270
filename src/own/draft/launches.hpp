// Finds the kernel launches in a file and their block sizes.
#pragma once

#include <vector>

#include "own/draft/node.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

struct Launch {
  std::string kernel;
  std::array<std::int64_t, 3> threads{};  // block size per axis; 0 if unknown
  unsigned loop = 0;  // source offset of the innermost loop that contains the launch; 0 if there is none
};

// Returns the launches in a function's body.
std::vector<Launch> launches_in(const Node& body);

}  // namespace sextant::own
