// Times at other sizes and on other machines (the sources), as prior knowledge about the points of a space.
#pragma once

#include <vector>

#include "tuner/space.hpp"

namespace sextant::tuner {

// For each source, one value per point: log(time / best time) in that source. Points that failed or are
// missing in the source have the source's largest value.
struct Prior {
  std::vector<std::vector<float>> sources;
  bool empty() const { return sources.empty(); }
};

}  // namespace sextant::tuner
