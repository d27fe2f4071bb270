// Prior knowledge about the points of a space: times at other sizes or on other machines (the sources).
#pragma once

#include <vector>

#include "tuner/space.hpp"

namespace sextant::tuner {

// For each source, one value per point: log(time / best time). Failed points get the source's largest value;
// prior_of fills in the values of missing points.
struct Prior {
  std::vector<std::vector<float>> sources;
  bool empty() const { return sources.empty(); }
};

}  // namespace sextant::tuner
