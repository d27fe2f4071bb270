// How cuda.temporal cuts boxes into tiles, and the tilings that it chooses. No GPU is needed for that.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#if !defined(__CUDACC__)
  #define __host__
  #define __device__
#endif
#include "../../kernels/heat3d/slab_plan.hpp"
#include "../../kernels/heat3d/temporal_plan.cuh"

namespace sextant {
namespace {

using namespace heat3d;

Problem problem_of(ElementType type, Extents box, int radius) {
  Problem problem{box.z, type, box, {}};
  problem.parameters = {24, radius, 0};
  return problem;
}

// How often each point of a plane is stored, by every lane of every block.
std::vector<int> times_stored(int nx, int ny, int radius, const TemporalShape& shape) {
  const Tiles tiles = tiles_of(nx, ny, radius, shape);
  std::vector<int> times(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny));
  const int reach = shape.steps_per_pass * radius, lag = reach - radius;
  for (int block = 0; block < tiles.blocks(); ++block)
    for (int lane = 0; lane < warp_lanes; ++lane) {
      const TilePlace<true> place(tiles, block, lane, nx, ny);
      const int x = place.left - place.segment * place.width + lane * shape.lane_points;
      EXPECT_TRUE(x >= place.left && x < place.left + place.width) << "a lane is outside its tile";
      for (int y = place.top; y < place.top + tiles.height; ++y)
        for (int e = 0; e < shape.lane_points; ++e) {
          if (!place.stored_x.has(x + e) || !place.stored_y.has(y)) continue;
          EXPECT_TRUE(place.left == 0 || x + e - place.left >= reach) << "its left neighbours are not known";
          EXPECT_TRUE(place.left + place.width >= nx || place.left + place.width - x - e > reach);
          EXPECT_TRUE(place.top == 0 || y - place.top >= lag);
          EXPECT_TRUE(place.top + tiles.height >= ny || place.top + tiles.height - y > lag);
          ++times[static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) +
                  static_cast<std::size_t>(x + e)];
        }
    }
  return times;
}

TEST(HeatPlan, EveryPointIsStoredOnceByATileThatKnowsItsNeighbours) {
  int checked = 0;
  for (const int nx : {1, 15, 16, 17, 32, 63, 128, 129, 131, 160, 256, 257, 509, 700})
    for (const int ny : {1, 12, 13, 29, 100})
      for (int radius = 1; radius <= 4; ++radius)
        for (const int steps : {1, 2, 3})
          for (const TemporalShape shape :
               {TemporalShape{4, 3, steps, 1, 4}, TemporalShape{12, 4, steps, 1, 4},
                TemporalShape{12, 2, steps, 1, 8}}) {
            if (tiles_of(nx, ny, radius, shape).rows == 0) continue;
            const std::vector<int> times = times_stored(nx, ny, radius, shape);
            EXPECT_EQ(std::count(times.begin(), times.end(), 1), std::ptrdiff_t(times.size()))
                << nx << "x" << ny << " radius " << radius << " steps " << steps << " points "
                << shape.lane_points << " height " << shape.height();
            if (HasFailure()) return;
            ++checked;
          }
  EXPECT_GT(checked, 1000);
}

// 512 = 4 tiles of 120, and 32 with the halo: a quarter of a tile's lanes, four tiles a block.
TEST(HeatPlan, WhatWholeTilesLeaveTakesAFewLanes) {
  const TemporalShape shape{12, 4, 3, 1, 4};
  const Tiles tiles = tiles_of(512, 512, 1, shape);
  EXPECT_EQ(tiles.full, 4);
  EXPECT_EQ(tiles.folds, 4);
  EXPECT_EQ(tiles.rows, 12);
  EXPECT_EQ(tiles.blocks(), 4 * 12 + 3);
}

constexpr Machine h100 = {132, 12.8};

// Tiny, odd, prime, long and thin boxes.
constexpr Extents boxes[] = {{1, 1, 1},        {9, 9, 9},        {67, 29, 23},      {509, 521, 503},
                             {512, 512, 512},  {256, 256, 1024}, {1024, 1024, 256}, {1000, 700, 300},
                             {2560, 352, 768}, {100000, 3, 3}};

TEST(HeatPlan, TheChosenShapeHasAKernelInEveryBox) {
  for (const ElementType type : {ElementType::float32, ElementType::float64})
    for (const Extents& box : boxes)
      for (int radius = 1; radius <= 4; ++radius) {
        const Problem problem = problem_of(type, box, radius);
        TemporalShape shape{0, 0, 0, 0, 0};
        adapt_shape(problem, h100, shape);
        ASSERT_GT(shape.rows, 0) << "none was chosen";
        EXPECT_EQ(refuse_shape(problem, shape), nullptr) << box.x << " radius " << radius;
        EXPECT_TRUE(shape.lane_points == 4 || box.x % shape.lane_points == 0);
      }
}

// What was faster on an H100 (data/h100/heat-boxes.csv).
TEST(HeatPlan, RadiusThreeFusesTwoStepsWhereThatWasFaster) {
  const auto steps_in = [](Extents box) {
    TemporalShape shape;
    adapt_shape(problem_of(ElementType::float32, box, 3), h100, shape);
    return shape.steps_per_pass;
  };
  EXPECT_EQ(steps_in({2560, 352, 768}), 2);
  EXPECT_EQ(steps_in({768, 352, 2560}), 2);
  EXPECT_EQ(steps_in({256, 256, 1024}), 1);
}

// Of the points that the lanes of all multiprocessors could compute in the time of the busiest one.
double share_used(const Problem& problem, const TemporalShape& shape, int multiprocessors) {
  const Parts parts = parts_of(problem, shape, multiprocessors);
  const double computed = static_cast<double>(parts.rounds * multiprocessors *
                                              (parts.planes + 2 * shape.lag(radius_of(problem)))) *
                          shape.width() * shape.height();
  return static_cast<double>(problem.extents.count()) / computed;
}

// Whatever the box, where it is large: halos, idle lanes and idle multiprocessors together take half at most.
TEST(HeatPlan, LittleIsComputedThatIsNotStored) {
  for (const Extents& box : boxes)
    for (const int radius : {1, 2, 3, 4}) {
      if (box.count() < 10'000'000) continue;
      const Problem problem = problem_of(ElementType::float32, box, radius);
      TemporalShape shape;
      adapt_shape(problem, h100, shape);
      EXPECT_GT(share_used(problem, shape, 132), 1.0 / 2)
          << box.x << "x" << box.y << "x" << box.z << " radius " << radius << ": block_y " << shape.block_y
          << " rows " << shape.rows << " steps " << shape.steps_per_pass << " waves " << shape.waves
          << " points " << shape.lane_points;
    }
}

int warps_for(std::int64_t planes, std::int64_t steps, const Machine& machine) {
  TemporalShape shape;
  Problem part = problem_of(ElementType::float32, {256, 256, planes}, 1);
  part.parameters = {steps, 1, 0};
  adapt_slab(part, machine, shape, any_form);
  return shape.block_y;
}

// What was faster for a GPU's part, on two H200 and on two H100 (data/h200/teams.txt, data/h100/teams.txt).
TEST(HeatPlan, ASlabsTileHasAsManyWarpsForEachQuarterOfAMultiprocessor) {
  constexpr Machine h200 = {132, 18.8};
  for (const Machine& machine : {h100, h200}) {
    EXPECT_EQ(warps_for(64, 24, machine), 8);
    for (const std::int64_t planes : {128, 256, 512, 1024}) EXPECT_EQ(warps_for(planes, 24, machine), 12);
  }
  for (const std::int64_t planes : {1, 3, 8, 31, 64, 257})
    for (const std::int64_t steps : {1, 2, 5, 24})
      EXPECT_EQ(warps_for(planes, steps, h100) % 4, 0) << planes << " planes, " << steps;
}

// Single steps are bound by memory: more warps than a few do not help where it is slow.
TEST(HeatPlan, ASlabsSingleStepsGoByMemory) {
  EXPECT_LT(warps_for(256, 1, h100), warps_for(256, 1, {132, 18.8}));
}

// What a pass of `depth` planes reaches is known to the blocks at an edge, and to no others.
void expect_edges_known(const SlabCut& cut, int first, int count, int depth, int* at_both) {
  std::vector<int> times(static_cast<std::size_t>(count));
  int low = 0, high = 0;
  for (int block = 0; block < cut.pieces; ++block) {
    for (int z = cut.begin_of(block); z < cut.end_of(block); ++z)
      ++times[static_cast<std::size_t>(z - first)];
    const bool reaches_below =
        cut.begin_of(block) - depth<first, reaches_above = cut.end_of(block) + depth> first + count;
    EXPECT_EQ(cut.is_low(block), reaches_below) << block;
    EXPECT_EQ(cut.is_high(block), reaches_above) << block;
    low += reaches_below, high += reaches_above, *at_both += reaches_below && reaches_above;
  }
  EXPECT_EQ(std::count(times.begin(), times.end(), 1), count);
  EXPECT_TRUE(cut.is_low(0));
  EXPECT_TRUE(cut.is_high(std::min(1, cut.pieces - 1)));
  EXPECT_EQ(blocks_at(cut, 0), low);
  EXPECT_EQ(blocks_at(cut, 1), high);
}

TEST(HeatPlan, BlocksAtASlabsEdgesAreThoseThatReachItsHalos) {
  int at_both = 0;
  for (const int first : {0, 3})
    for (const int count : {3, 4, 7, 64, 128, 257})
      for (const int tiles : {1, 7, 16, 200})
        for (const int depth : {1, 3})
          for (const int spare : {0, 1, 3})
            for (const Neighboured beside : {Neighboured{false, false}, Neighboured{true, false},
                                             Neighboured{false, true}, Neighboured{true, true}}) {
              SCOPED_TRACE(std::to_string(count) + " planes, " + std::to_string(tiles) + " tiles, " +
                           std::to_string(spare) + " spare");
              expect_edges_known(cut_slab(first, count, tiles, 132, depth, beside, spare), first, count,
                                 depth, &at_both);
            }
  EXPECT_GT(at_both, 0);
}

// Pieces beside a neighbour are begun and ended early: they have what others lack.
TEST(HeatPlan, PiecesBesideANeighbourHaveFewerPlanes) {
  const auto planes_of = [](const SlabCut& cut, int block) {
    return cut.end_of(block) - cut.begin_of(block);
  };
  const SlabCut low = cut_slab(0, 128, 13, 132, 3, {true, false}, 0);
  EXPECT_EQ(planes_of(low, 0), 11) << "128 planes in 10 pieces of 13";
  EXPECT_EQ(planes_of(low, 1), 13);
  const SlabCut high = cut_slab(0, 128, 13, 132, 3, {false, true}, 0);
  EXPECT_EQ(planes_of(high, 0), 13);
  EXPECT_EQ(planes_of(high, 1), 11);
  const SlabCut both = cut_slab(0, 128, 16, 132, 3, {true, true}, 2);
  EXPECT_EQ(both.pieces, 8);
  EXPECT_EQ(planes_of(both, 0), 13) << "others have 17";
  EXPECT_EQ(planes_of(both, 1), 13);
  EXPECT_EQ(planes_of(both, 2), 17);
}

}  // namespace
}  // namespace sextant
