// What other sizes and machines taught of the points of a space.
#pragma once

#include <vector>

#include "tuner/space.hpp"

namespace sextant::tuner {

// One value a point for each source: log(time / best time) there; points that failed or are missing there
// have the largest of them.
struct Prior {
  std::vector<std::vector<float>> sources;
  bool empty() const { return sources.empty(); }
};

}  // namespace sextant::tuner
