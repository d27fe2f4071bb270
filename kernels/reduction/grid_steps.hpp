// Chooses a kernel's launch parameters by the number of bytes that it reads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sextant::reduction {

template <typename Grid>
struct GridStep {
  std::int64_t bytes;  // The grid is used for problems that read at most this many bytes.
  Grid grid;
};

// Returns the grid of the first element of `steps` whose limit is at least `bytes`. If there is none, returns
// the grid of the last element.
template <typename Grid, std::size_t count>
Grid grid_for(std::int64_t bytes, const GridStep<Grid> (&steps)[count]) {
  std::size_t i = 0;
  while (i + 1 < count && bytes > steps[i].bytes) ++i;
  return steps[i].grid;
}

}  // namespace sextant::reduction
