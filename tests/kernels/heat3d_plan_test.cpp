// Tests how cuda.temporal divides a box into tiles and which tile shapes it chooses. The tests need no GPU.
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

// Increments `times` for each point of a plane that this lane (thread of a warp) stores.
template <bool folded>
void store_lane(const Tiles& tiles, int block, int lane, int nx, int ny, int radius,
                const TemporalShape& shape, std::vector<int>& times) {
  const int reach = shape.steps_per_pass * radius, lag = reach - radius;
  const TilePlace<folded> place(tiles, block, lane, ny);
  const Range along_x = stored_of(place.left, place.width, tiles.halo_x, nx),
              along_y = stored_of(place.top, tiles.height, tiles.halo_y, ny);
  const int x = place.left - place.segment * place.width + lane * shape.points_per_lane;
  EXPECT_TRUE(x >= place.left && x < place.left + place.width) << "a lane is outside its tile";
  for (int y = place.top; y < place.top + tiles.height; ++y)
    for (int e = 0; e < shape.points_per_lane; ++e) {
      if (!along_x.has(x + e) || !along_y.has(y)) continue;
      EXPECT_TRUE(place.left == 0 || x + e - place.left >= reach) << "its left neighbours are not known";
      EXPECT_TRUE(place.left + place.width >= nx || place.left + place.width - x - e > reach);
      EXPECT_TRUE(place.top == 0 || y - place.top >= lag);
      EXPECT_TRUE(place.top + tiles.height >= ny || place.top + tiles.height - y > lag);
      ++times[static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x + e)];
    }
}

// Returns how often all blocks together store each point of a plane. Folded tiles are narrow tiles that share
// the lanes of one warp. `all_folded`: the kernel for folded tiles also computes the full ones.
std::vector<int> times_stored(int nx, int ny, int radius, const TemporalShape& shape, bool all_folded) {
  const Tiles tiles = tiles_of(nx, ny, radius, shape), others = folded_tiles_of(nx, ny, radius, shape);
  std::vector<int> times(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny));
  const int blocks = static_cast<int>(tiles.blocks()), whole = tiles.folds == 1 ? blocks : tiles.whole();
  for (int lane = 0; lane < warp_lanes; ++lane) {
    for (int block = 0; block < (all_folded ? 0 : whole); ++block)
      store_lane<false>(tiles, block, lane, nx, ny, radius, shape, times);
    for (int block = 0; block < (all_folded ? blocks : 0); ++block)
      store_lane<true>(tiles, block, lane, nx, ny, radius, shape, times);
    for (int block = 0; block < (all_folded || tiles.folds == 1 ? 0 : others.last()); ++block)
      store_lane<true>(others, others.whole() + block, lane, nx, ny, radius, shape, times);
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
            for (const bool all_folded : {false, true}) {
              const std::vector<int> times = times_stored(nx, ny, radius, shape, all_folded);
              EXPECT_EQ(std::count(times.begin(), times.end(), 1), std::ptrdiff_t(times.size()))
                  << nx << "x" << ny << " radius " << radius << " steps " << steps << " points "
                  << shape.points_per_lane << " height " << shape.height();
              if (HasFailure()) return;
              ++checked;
            }
          }
  EXPECT_GT(checked, 1000);
}

// 512 points are 4 tiles of 120 points and a rest. With its halo, the rest has 32 points, a quarter of a
// tile. So four rests share a block.
TEST(HeatPlan, WhatWholeTilesLeaveTakesAFewLanes) {
  const TemporalShape shape{12, 4, 3, 1, 4};
  const Tiles tiles = tiles_of(512, 512, 1, shape);
  EXPECT_EQ(tiles.full, 4);
  EXPECT_EQ(tiles.folds, 4);
  EXPECT_EQ(tiles.rows, 12);
  EXPECT_EQ(tiles.blocks(), 4 * 12 + 3);
}

// Here, half of a thread's points suffice as halo, so a tile of 256 points stores 248. A rest of 1024 points
// takes an eighth of a warp.
TEST(HeatPlan, AHaloMayBeHalfAThreadsPoints) {
  const TemporalShape shape{12, 2, 3, 1, 8};
  EXPECT_EQ(tiles_of(1000, 700, 1, shape).blocks(), 4 * 35);
  const Tiles tiles = tiles_of(1024, 1024, 1, shape);
  EXPECT_EQ(tiles.full, 4);
  EXPECT_EQ(tiles.folds, 8);
  EXPECT_EQ(tiles.blocks(), 4 * 51 + 7);
}

// Full tiles leave 16 of 512 points, which take two threads of 8 points. So 16 such tiles share a warp.
TEST(HeatPlan, TilesOfTwoThreadsLieSixteenSideBySide) {
  const Tiles tiles = tiles_of(512, 512, 1, {12, 2, 3, 1, 8});
  EXPECT_EQ(tiles.full, 2);
  EXPECT_EQ(tiles.folds, 16);
  EXPECT_EQ(tiles.blocks(), 2 * 26 + 2);
  EXPECT_EQ(tiles_of(512, 512, 1, {12, 1, 3, 1, 8}).folds, 8);
}

// The 52 full tiles get more blocks next to 2 blocks of folded tiles than next to 4. With 4 blocks, the
// busiest multiprocessor would process 242 planes.
TEST(HeatPlan, FewBlocksOfTilesSideBySideLeaveTheOthersMoreRoom) {
  const PassCut cut =
      cut_of(problem_of(ElementType::float32, {512, 512, 512}, 1), {12, 2, 3, 1, 8, 0, 1}, 132);
  EXPECT_EQ(cut.folded.rest, 2);
  EXPECT_LE(cut.planes, 231);
}

// For single steps of radius 3, the kernel for folded tiles has half as many rows. A box without folded tiles
// needs no such blocks.
TEST(HeatPlan, BlocksAreCountedWithTheRowsOfTheirKernel) {
  const TemporalShape shape{12, 2, 1, 1, 8};
  const auto blocks = [&](Extents box) {
    const PassCut cut = cut_of(problem_of(ElementType::float32, box, 3), shape, 132);
    return cut.whole.rest + cut.folded.rest;
  };
  EXPECT_EQ(blocks({256, 264, 100}), 11);
  EXPECT_EQ(blocks({512, 264, 100}), 2 * 11 + (22 + 7) / 8);
}

TEST(HeatPlan, ADivisorsQuotientsAreExact) {
  for (const int by : {1, 2, 3, 5, 7, 85, 131, 132, 1023, 65535}) {
    const Divisor divisor(by);
    for (const int n : {0, 1, 2, 3, 6, 7, 84, 85, 86, 131, 132, 1000, 65534, 65535})
      EXPECT_EQ(divisor.quotient(n), n / by) << n << " / " << by;
    EXPECT_EQ(divisor.quotient(65535 / by * by), 65535 / by);
  }
}

// Increments `times` for each plane of each tile that the blocks of a partitioning process.
void count_planes(const ZCut& cut, int tiles, int nz, std::vector<int>& times) {
  for (int block = 0; block < cut.blocks; ++block) {
    const Piece piece = piece_of(cut, block, nz);
    ASSERT_TRUE(piece.tile >= 0 && piece.tile < tiles && piece.first < piece.last && piece.last <= nz);
    for (int z = piece.first; z < piece.last; ++z)
      ++times[static_cast<std::size_t>(piece.tile) * static_cast<std::size_t>(nz) +
              static_cast<std::size_t>(z)];
  }
}

std::vector<int> no_planes(int tiles, int nz) {
  return std::vector<int>(static_cast<std::size_t>(tiles) * static_cast<std::size_t>(nz));
}

// Each plane of each tile belongs to exactly one block.
TEST(HeatPlan, TheBlocksHaveEachPlaneOfEachTileOnce) {
  int all_whole = 0, all_cut = 0;
  for (const int tiles : {1, 13, 85, 132, 140, 264, 300})
    for (const int nz : {1, 7, 103, 300})
      for (const int waves : wave_choices())
        for (const int whole_first : {0, 1}) {
          const ZCut cut = cut_planes(tiles, nz, {8, 2, 2, waves, 8, whole_first}, 132);
          std::vector<int> times = no_planes(tiles, nz);
          const int first = tiles * 4 / 5;  // number of tiles in the first launch
          const ZCut one = cut_some(cut, nz, 0, first, 0),
                     other = cut_some(cut, nz, first, tiles - first, first);
          EXPECT_EQ(one.blocks + other.blocks, cut.blocks);
          count_planes(one, tiles, nz, times);
          count_planes(other, tiles, nz, times);
          EXPECT_EQ(std::count(times.begin(), times.end(), 1), std::ptrdiff_t(times.size()))
              << tiles << " tiles, " << nz << " planes, " << waves << " waves";
          all_whole += cut.whole == tiles, all_cut += cut.whole == 0;
        }
  EXPECT_GT(all_whole, 0);
  EXPECT_GT(all_cut, 0);
}

// The two launches of a pass together process each plane of each tile once, for every way to divide a box.
TEST(HeatPlan, TheLaunchesOfAPassHaveEachPlaneOfEachTileOnce) {
  int both = 0, folded_first = 0, shorter = 0;
  for (const Extents& box : {Extents{512, 300, 77}, Extents{300, 64, 5}, Extents{2560, 352, 768}})
    for (const int waves : wave_choices())
      for (const int whole_first : {0, 1})
        for (const int long_first : {0, 1}) {
          const TemporalShape shape{12, 2, 3, waves, 8, whole_first, long_first};
          const PassCut cut = cut_of(problem_of(ElementType::float32, box, 1), shape, 132);
          const int tiles = cut.whole.whole + cut.whole.rest + cut.folded.whole + cut.folded.rest,
                    nz = static_cast<int>(box.z);
          std::vector<int> times = no_planes(tiles, nz);
          count_planes(cut.whole, tiles, nz, times);
          count_planes(cut.folded, tiles, nz, times);
          EXPECT_EQ(std::count(times.begin(), times.end(), 1), std::ptrdiff_t(times.size()));
          both += cut.folded.blocks > 0 && cut.whole.blocks > 0, folded_first += cut.folded_first;
          shorter += long_first && nz % cut.whole.planes != 0;
        }
  EXPECT_GT(both, 0);
  EXPECT_GT(folded_first, 0);
  EXPECT_GT(shorter, 0);
}

// The planes of the busiest multiprocessor, if each block processes 6 planes more than it stores.
double planes_of_busiest(const ZCut& cut, std::int64_t nz) {
  Queues queues(132);
  queues.take(cut, nz, 6, 1);
  return queues.longest();
}

// 140 tiles of 300 planes on 132 multiprocessors: 132 tiles stay whole, 8 tiles get 16 blocks each.
TEST(HeatPlan, WholeTilesComeFirstWhereTheShapeSaysSo) {
  const ZCut cut = cut_planes(140, 300, {12, 2, 3, 1, 8, 1}, 132);
  EXPECT_EQ(cut.whole, 132);
  EXPECT_EQ(cut.rest, 8);
  EXPECT_EQ(cut.planes, 19);
  EXPECT_EQ(planes_of_busiest(cut, 300), 306 + 25);
  EXPECT_EQ(planes_of_busiest(cut_planes(140, 300, {12, 2, 3, 2, 8, 0}, 132), 300), 2 * 306);
}

TEST(HeatPlan, AMultiprocessorTakesTheNextBlockWhenItIsFree) {
  Queues queues(3);
  queues.take(2, 10);
  EXPECT_EQ(queues.longest(), 10);
  queues.take(4, 3);  // three blocks on the third multiprocessor, the fourth on the first free one
  EXPECT_EQ(queues.longest(), 12);
  queues.take(1, 1);
  EXPECT_EQ(queues.longest(), 12);
}

// 85 tiles of 512 planes on 132 multiprocessors: half tiles would leave 94 multiprocessors idle in the second
// wave. Instead, 85 multiprocessors process blocks of 335 to 355 planes, and each other one processes two
// shorter blocks.
TEST(HeatPlan, AShorterPartOfEachTileFillsWhatLongOnesLeave) {
  const PassCut cut = cut_long_first(85, 0, 512, {16, 2, 4, 1, 4, 0, 1}, 132, 10, 1);
  EXPECT_EQ(cut.whole.blocks, 2 * 85);
  EXPECT_GE(cut.whole.planes, 335);
  EXPECT_LE(cut.whole.planes, 355);
  EXPECT_LT(cut.planes, 1.1 * 85 * 512 / 132);
  EXPECT_EQ(cut_long_first(12, 0, 100, {16, 2, 4, 1, 4, 0, 1}, 12, 10, 1).planes, 110)
      << "nothing is to gain";
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
        EXPECT_TRUE(takes_width(box.x, radius, shape.points_per_lane, static_cast<int>(element_size(type))));
      }
}

constexpr Machine h200 = {132, 18.8};

// If a thread has many points (16), half-width tiles run in the same launch as full tiles.
TEST(HeatPlan, HalvesHaveNoLaunchOfTheirOwnWhereAThreadHasManyPoints) {
  const Tiles tiles = tiles_of(2560, 352, 1, {12, 2, 3, 1, 8});
  EXPECT_EQ(tiles.folds, 1);
  EXPECT_EQ(tiles.blocks(), 11 * 18);
  EXPECT_EQ(tiles_of(2560, 352, 1, {12, 1, 3, 1, 8}).folds, 2);
  EXPECT_EQ(tiles_of(100, 352, 1, {12, 2, 3, 1, 8}).folds, 2) << "there are no whole tiles";
}

// Blocks of folded tiles take 1.35 times as long. They run first if the pass then ends earlier.
TEST(HeatPlan, BlocksOfTilesSideBySideTakeLonger) {
  const auto cut = [](ElementType type, Extents box, const TemporalShape& shape) {
    return cut_of(problem_of(type, box, 1), shape, 132);
  };
  constexpr Extents box = {256, 256, 1024};
  const PassCut late = cut(ElementType::float64, box, {12, 2, 3, 1, 4, 0});
  EXPECT_EQ(late.whole.planes, 256) << "30 tiles, 4 parts: 120 blocks";
  EXPECT_DOUBLE_EQ(late.planes, 1.35 * (256 + 8));
  const PassCut sooner = cut(ElementType::float64, {512, 512, 512}, {12, 2, 3, 1, 4, 0, 1});
  EXPECT_TRUE(sooner.folded_first);
  EXPECT_LT(sooner.planes, 1.1 * (104 + 7 * 1.35) * 512 / 132);
  EXPECT_EQ(cut(ElementType::float32, box, {12, 2, 3, 1, 4, 0}).folded.blocks, 0)
      << "one kernel takes all tiles";
  EXPECT_EQ(cut(ElementType::float32, box, {12, 2, 3, 1, 8, 0}).folded.blocks, 0) << "one tile is a row";
}

// A row of ten warps is slower per warp than one of eight, as four schedulers share eight warps evenly.
TEST(HeatPlan, WarpsThatAreSharedUnevenlyWait) {
  const Problem problem = problem_of(ElementType::float32, {256, 16, 1024}, 1);
  const auto of_a_warp = [&](int warps) { return work_of(problem, {warps, 2, 3, 1, 8}, 1000, h200) / warps; };
  EXPECT_GT(of_a_warp(10), of_a_warp(8));
  EXPECT_LT(of_a_warp(12), of_a_warp(8)) << "the more, the less latency shows";
}

// Multiprocessors differ slightly in speed. If two partitionings process the same number of planes, shorter
// blocks end earlier.
TEST(HeatPlan, LongBlocksEndLate) {
  const Problem problem = problem_of(ElementType::float32, {256, 256, 1320}, 1);
  const TemporalShape once{12, 2, 3, 1, 8}, twice{12, 2, 3, 2, 8};
  const auto planes_taken = [&](const TemporalShape& shape) {
    return work_of(problem, shape, 19, h200) / cut_of(problem, shape, 132).planes;
  };
  EXPECT_GT(planes_taken(once), 1.01 * planes_taken(twice));
}

// With 4 points per thread, rows may have any width. If registers suffice, threads load single points.
TEST(HeatPlan, RowsOfAnyWidthAreTaken) {
  EXPECT_TRUE(takes_width(516, 1, 8, 4));
  EXPECT_FALSE(takes_width(510, 1, 8, 4));
  EXPECT_FALSE(takes_width(516, 2, 8, 4));
  EXPECT_TRUE(takes_width(509, 3, 4, 4));
  EXPECT_TRUE(moves_points(2, 4));
  EXPECT_FALSE(moves_points(3, 4));
  EXPECT_TRUE(moves_points(1, 8));
  EXPECT_FALSE(moves_points(2, 8));
}

TemporalShape chosen(ElementType type, Extents box, int radius) {
  TemporalShape shape;
  adapt_shape(problem_of(type, box, radius), h200, shape);
  return shape;
}

// These tile shapes were the fastest on an H200 (data/h200/heat-boxes.csv, "fifth run" and "sixth run").
TEST(HeatPlan, TheChosenShapesAreThoseThatWereFastest) {
  EXPECT_EQ(chosen(ElementType::float32, {509, 521, 503}, 3).steps_per_pass, 2);
  for (const Extents& box : {Extents{256, 256, 1024}, Extents{512, 512, 512}, Extents{1000, 700, 300}})
    EXPECT_EQ(chosen(ElementType::float32, box, 3).steps_per_pass, 1);
  EXPECT_EQ(chosen(ElementType::float32, {512, 512, 512}, 1).points_per_lane, 8);
  EXPECT_EQ(chosen(ElementType::float32, {509, 521, 503}, 1).steps_per_pass, 4);
  EXPECT_EQ(chosen(ElementType::float32, {2560, 352, 768}, 1).uncut_tiles_first, 0);
  EXPECT_GT(chosen(ElementType::float32, {768, 352, 2560}, 1).waves, 1);
  EXPECT_EQ(chosen(ElementType::float32, {1000, 700, 300}, 1).points_per_lane, 8);
  for (const Extents& box : {Extents{1024, 1024, 256}, Extents{1000, 700, 300}, Extents{2560, 352, 768}})
    EXPECT_EQ(chosen(ElementType::float64, box, 2).steps_per_pass, 2);
  EXPECT_EQ(chosen(ElementType::float64, {256, 256, 1024}, 2).steps_per_pass, 1);
  EXPECT_GE(chosen(ElementType::float64, {256, 256, 1024}, 1).waves, 3);
  EXPECT_EQ(chosen(ElementType::float64, {512, 512, 512}, 1).block_y, 12);
}

// With more warps, single steps would spill registers and take up to twice as long (data/h200/heat-boxes.csv,
// "twelfth run").
TEST(HeatPlan, SingleStepsOfFloatsHaveRegistersEnough) {
  EXPECT_EQ(most_warps(1, 1, 16, 4), 16);
  EXPECT_EQ(most_warps(2, 1, 16, 4), 12);
  Problem problem = problem_of(ElementType::float32, {256, 256, 1024}, 2);
  problem.parameters[0] = 1;
  TemporalShape shape;
  adapt_shape(problem, h200, shape);
  EXPECT_EQ(shape.block_y, 12);
  EXPECT_EQ(shape.points_per_lane, 8);
}

// Returns the useful fraction of all points that the multiprocessors can compute until the busiest one ends.
double share_used(const Problem& problem, const TemporalShape& shape, int multiprocessors) {
  const double planes = cut_of(problem, shape, multiprocessors).planes,
               computed = multiprocessors * planes * shape.width() * shape.height();
  return static_cast<double>(problem.extents.count()) / computed;
}

// For large boxes, halos, idle lanes and idle multiprocessors together cost at most half of the points.
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
          << " points " << shape.points_per_lane;
    }
}

int warps_for(std::int64_t planes, std::int64_t steps, const Machine& machine) {
  TemporalShape shape;
  Problem part = problem_of(ElementType::float32, {256, 256, planes}, 1);
  part.parameters = {steps, 1, 0};
  adapt_slab(part, machine, shape, any_form);
  return shape.block_y;
}

// The faster choices for a partition on two H200 and on two H100 (data/h200/teams.txt, data/h100/teams.txt).
TEST(HeatPlan, ASlabsTileHasAsManyWarpsForEachQuarterOfAMultiprocessor) {
  for (const Machine& machine : {h100, h200}) {
    EXPECT_EQ(warps_for(64, 24, machine), 8);
    for (const std::int64_t planes : {128, 256, 512, 1024}) EXPECT_EQ(warps_for(planes, 24, machine), 12);
  }
  for (const std::int64_t planes : {1, 3, 8, 31, 64, 257})
    for (const std::int64_t steps : {1, 2, 5, 24})
      EXPECT_EQ(warps_for(planes, steps, h100) % 4, 0) << planes << " planes, " << steps;
}

// Single steps are memory-bound, so a GPU with slow memory needs fewer warps.
TEST(HeatPlan, ASlabsSingleStepsGoByMemory) {
  EXPECT_LT(warps_for(256, 1, h100), warps_for(256, 1, {132, 18.8}));
}

// Expects that exactly the blocks within `depth` planes of an end of the slab are marked as edge blocks.
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
            for (const Neighboured neighbours : {Neighboured{false, false}, Neighboured{true, false},
                                                 Neighboured{false, true}, Neighboured{true, true}}) {
              SCOPED_TRACE(std::to_string(count) + " planes, " + std::to_string(tiles) + " tiles, " +
                           std::to_string(spare) + " spare");
              expect_edges_known(cut_slab(first, count, tiles, 132, depth, neighbours, spare), first, count,
                                 depth, &at_both);
            }
  EXPECT_GT(at_both, 0);
}

// Blocks next to a neighbour get fewer planes, so that the neighbour gets its halo early.
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
