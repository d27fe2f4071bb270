// How many blocks and loads the fused product is launched with.
#pragma once

#include "../reduction/grid_steps.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant::dot {

using Blocks = Choices<256, 512, 1024>;
using Loads = Choices<1, 2, 4>;

struct Grid {
  int block_size = 512;
  int loads = 2;  // of each array, under way in a thread
  int blocks = 264;
};

inline std::vector<Tunable> grid_tunables() {
  return tunables<Grid>({{"block_size", &Grid::block_size, Blocks::list()},
                         {"loads", &Grid::loads, Loads::list()},
                         {"blocks", &Grid::blocks, {1, 66, 132, 264, 528, 1056, 4224, 8448}}});
}

// As the sum's (../reduction/fused_grid.hpp), where a byte is a byte of either array: half the loads of each. The numbers of
// blocks, here and among the choices, suit the 132 multiprocessors of an H200, where they were the fastest
// (data/h200/reductions.txt).
inline void fit_grid(const Problem& problem, Grid& grid) {
  constexpr reduction::GridStep<Grid> steps[] = {{100'000, {512, 2, 1}},      {200'000, {1024, 2, 1}},
                                                 {600'000, {256, 2, 66}},     {20'000'000, {256, 2, 132}},
                                                 {30'000'000, {256, 2, 264}}, {1'000'000'000, {1024, 2, 264}},
                                                 {INT64_MAX, {1024, 2, 8448}}};
  const std::int64_t bytes = 2 * problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  grid = reduction::grid_for(bytes, steps);
}

}  // namespace sextant::dot
