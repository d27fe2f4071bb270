// How many blocks and loads the fused sum is launched with.
#pragma once

#include "grid_steps.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant::reduction {

using Blocks = Choices<128, 256, 512, 1024>;
using Loads = Choices<2, 4, 8>;

struct Grid {
  int block_size = 512, loads = 4, blocks = 264;
};

inline std::vector<Tunable> grid_tunables() {
  return tunables<Grid>({{"block_size", &Grid::block_size, Blocks::list()},
                         {"loads", &Grid::loads, Loads::list()},
                         {"blocks", &Grid::blocks, {1, 66, 132, 264, 528, 1056, 4224, 8448}}});
}

// Measured on an H200 (docs/kernels/reduction-and-matrix.md): one block while its latency is below that of
// letters, few blocks with many loads each while the data lies in the cache, many blocks from memory. The counts suit its
// 132 multiprocessors. A tuning is chosen before any device is open, so on other GPUs they are where to start from.
inline void fit_grid(const Problem& problem, Grid& grid) {
  constexpr GridStep<Grid> steps[] = {
      {50'000, {512, 8, 1}},        {100'000, {512, 4, 1}},       {1'000'000, {256, 4, 66}},
      {3'000'000, {256, 4, 132}},   {6'000'000, {512, 4, 264}},   {10'000'000, {256, 4, 132}},
      {30'000'000, {256, 4, 264}},  {50'000'000, {1024, 2, 264}}, {100'000'000, {512, 4, 264}},
      {500'000'000, {512, 4, 528}}, {INT64_MAX, {512, 4, 8448}}};
  const std::int64_t bytes = problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  grid = grid_for(bytes, steps);
}

}  // namespace sextant::reduction
