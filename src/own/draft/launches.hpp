// Finds the kernel launches and calls in a file's host code, and their block sizes.
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
  CallSite site;
};

// Returns the launches and calls in a function's body, in the order of the file.
std::vector<Launch> launches_in(const Node& body);

}  // namespace sextant::own
