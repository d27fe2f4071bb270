// Finds the kernel launches and calls in a file's functions, and the launches' grids.
#pragma once

#include <vector>

#include "own/draft/node.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

// A launch of a kernel or a call of a function.
struct Launch {
  std::string function;
  bool kernel = false;
  std::array<std::int64_t, 3> threads{};  // block size per axis; 0 if unknown
  // Number of blocks per axis, in the names of the launching function. Empty if it is not a sum of products
  // of numbers and variables: then it is usually the number of threads, divided by the block size.
  std::array<std::optional<Polynomial>, 3> blocks;
  CallSite site;
};

// Returns the launches and calls in a function's body, in the order of the file.
std::vector<Launch> launches_in(const Node& body);

}  // namespace sextant::own
