// A launch's grid as a function of the bytes read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sextant::reduction {

template <typename Grid>
struct GridStep {
  std::int64_t bytes;  // Upper limit.
  Grid grid;
};

// The grid of the first step whose limit is at least `bytes`; the last step has no limit.
template <typename Grid, std::size_t count>
Grid grid_for(std::int64_t bytes, const GridStep<Grid> (&steps)[count]) {
  std::size_t i = 0;
  while (i + 1 < count && bytes > steps[i].bytes) ++i;
  return steps[i].grid;
}

}  // namespace sextant::reduction
