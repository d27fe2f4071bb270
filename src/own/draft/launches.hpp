// Where a file launches its kernels, and with how many threads.
#pragma once

#include <vector>

#include "own/draft/node.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

struct Launch {
  std::string kernel;
  std::array<std::int64_t, 3> threads{};  // of a block, by axis; 0: not known
  unsigned loop = 0;                      // where the innermost loop around it begins; 0: there is none
};

// Of a function's body.
std::vector<Launch> launches_in(const Node& body);

}  // namespace sextant::own
