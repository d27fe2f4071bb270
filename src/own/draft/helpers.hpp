// The functions of a file, for the calls in later functions.
#pragma once

#include <map>
#include <vector>

#include "own/draft/node.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

struct Helper {
  Signature signature;
  Node body;
  std::vector<unsigned> places;  // source offsets of the parameters' declarations, then the template's
};

// The functions of a file that were read before, by the source offset of their name.
using Helpers = std::map<unsigned, Helper>;

// Returns the helper that a call names, or null.
const Helper* helper_called(const Helpers& helpers, const Node& call);

}  // namespace sextant::own
