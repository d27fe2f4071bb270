// A launch's grid by the bytes that are read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sextant::reduction {

template <typename Grid>
struct GridStep {
  std::int64_t bytes;  // at most
  Grid grid;
};

// The grid of the first step that is for so many bytes; the last one is for any.
template <typename Grid, std::size_t count>
Grid grid_for(std::int64_t bytes, const GridStep<Grid> (&steps)[count]) {
  std::size_t i = 0;
  while (i + 1 < count && bytes > steps[i].bytes) ++i;
  return steps[i].grid;
}

}  // namespace sextant::reduction
