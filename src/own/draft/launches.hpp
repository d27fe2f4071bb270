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
  CallSite site;
};

// Returns the launches and calls in a function's body, in the order of the file.
std::vector<Launch> launches_in(const Node& body);

// Gives the launch's grid and loop to the kernel.
void take_launch(const CallSite& site, Signature* kernel);

}  // namespace sextant::own
