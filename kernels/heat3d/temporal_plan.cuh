// How `temporal` cuts a box into tiles: pure functions, for plans and for the kernel, tested without a GPU.
//
// A tile is 32 * lane_points points wide. Tiles overlap: each computes points at its inner edges that it does not
// store. What whole tiles leave of a row falls to a last column of tiles that are as wide, or half or a quarter of
// that; 2 or 4 of them, one above the other, lie side by side in a block's lanes (`folds`).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "steps.hpp"

namespace sextant::heat3d {

inline constexpr int warp_lanes = 32;

// Planes below its own that stage 1 keeps in registers, so that the ring need not: all, where registers are
// left.
constexpr int planes_kept(int radius, int steps) { return steps == 1 && radius > 1 ? radius : 0; }

// Planes that copies run ahead: a step that is the only one of its pass is over sooner than memory answers,
// but for radius 4 a tile of 24 rows, the warps of which the four schedulers share evenly, is worth more.
constexpr int planes_ahead(int radius, int steps) { return steps == 1 && radius < 4 ? 2 : 1; }

constexpr int ring_planes(int radius, int steps) {
  return 2 * radius + 1 - planes_kept(radius, steps) + planes_ahead(radius, steps);
}

// Warps of a block for which the registers suffice: queues, a sum and operands, and addresses.
constexpr int most_warps(int radius, int steps, int row_points, int element_bytes) {
  const int words = row_points * element_bytes / 4;  // row_points: of all rows that a thread has
  const int registers = ((steps - 1) * 2 * radius + planes_kept(radius, steps) + 3) * words + 48;
  return std::min(registers > 255 ? 0 : 512 / registers * 4, 20);  // each quarter has 512 registers a lane
}

// Warps of a block, one above the other, and rows of a warp: the tile's height; steps of a pass; waves of blocks;
// neighbouring points of a row that a thread has.
struct TemporalShape {
  int block_y = 8, rows = 2, steps_per_pass = 2, waves = 1, lane_points = 8;
  int height() const { return block_y * rows; }
  int width() const { return warp_lanes * lane_points; }
  int lag(int radius) const { return (steps_per_pass - 1) * radius; }
};

// The tiles of a plane: `full` columns of whole ones, then the last column.
struct Tiles {
  int width, height;   // of a whole tile
  int halo_x, halo_y;  // what is not stored at each inner edge
  int full, folds;
  int rows;  // of tiles

  __host__ __device__ int stride_x() const { return width - 2 * halo_x; }
  __host__ __device__ int stride_y() const { return height - 2 * halo_y; }
  std::int64_t blocks() const { return std::int64_t{full} * rows + (rows + folds - 1) / folds; }
};

// Tiles of `size` points that an axis of n takes, `stride` apart; 0 where the tile is all halo.
inline int tiles_along(std::int64_t n, int size, int stride) {
  if (n <= size) return 1;
  return stride > 0 ? static_cast<int>((n - size + stride - 1) / stride) + 1 : 0;
}

// The tiles of planes of nx by ny points. Their halo along x is whole threads; along y the first step's is the ring's.
inline Tiles tiles_of(std::int64_t nx, std::int64_t ny, int radius, const TemporalShape& shape) {
  const int steps = shape.steps_per_pass, points = shape.lane_points;
  Tiles tiles = {shape.width(),
                 shape.height(),
                 (steps * radius + points - 1) / points * points,
                 (steps - 1) * radius,
                 0,
                 1,
                 0};
  const int columns = tiles_along(nx, tiles.width, tiles.stride_x());
  tiles.full = std::max(columns - 1, 0);
  tiles.rows = columns > 0 ? tiles_along(ny, tiles.height, tiles.stride_y()) : 0;
  const std::int64_t left = nx - std::int64_t{tiles.full} * tiles.stride_x();
  while (points == 4 && tiles.folds < 4 && left * tiles.folds * 2 <= tiles.width) tiles.folds *= 2;
  return tiles;
}

struct Range {
  int from, to;
  __host__ __device__ bool has(int i) const { return i >= from && i < to; }
};

// Where the tile of a block's lane lies in a plane of nx by ny points. foldable: tiles of the block may lie side by
// side; if not, all lanes have the same values, and the compiler knows.
template <bool foldable>
struct TilePlace {
  int width, left, top;      // of the lane's tile; top is ny for one that there is not
  int segment;               // which of the block's tiles side by side
  Range stored_x, stored_y;  // all but the halo at inner edges
  __host__ __device__ TilePlace(const Tiles& tiles, int block, int lane, int nx, int ny) {
    const int whole = tiles.full * tiles.rows;
    const bool last = block >= whole;
    const int folds = foldable && last ? tiles.folds : 1;
    segment = foldable ? lane * folds / warp_lanes : 0;
    width = tiles.width / folds;
    const int row = last ? (block - whole) * folds + segment : block / tiles.full;
    const int column = last ? tiles.full : block % tiles.full;
    left = column * tiles.stride_x();
    top = row < tiles.rows ? row * tiles.stride_y() : ny;
    stored_x = {column == 0 ? 0 : left + tiles.halo_x, last ? nx : left + width - tiles.halo_x};
    const int end = top + tiles.height;
    stored_y = {top == 0 ? 0 : top + tiles.halo_y, end >= ny ? ny : end - tiles.halo_y};
  }
};

// What there are kernels for: with more steps a tile, which shared memory and registers limit, is nearly all halo; with
// other rows a thread has too few points to share what it loads, or more than its registers hold.
constexpr bool has_kernel(int radius, int steps, int rows, int lane_points, int element_bytes) {
  return most_warps(radius, steps, rows * lane_points, element_bytes) >= 6 && (steps - 1) * radius <= 3 &&
         (lane_points == 8 ? rows <= 2 : rows >= 2);
}

// Points of shared memory that a block needs.
inline std::size_t shared_points(int radius, const TemporalShape& shape) {
  const int steps = shape.steps_per_pass, height = shape.height();
  const int rows = ring_planes(radius, steps) * (height + 2 * radius) + 2 * (steps - 1) * height +
                   (planes_kept(radius, steps) > 0 ? height : 0);
  return static_cast<std::size_t>(rows * shape.width());
}

// Why no kernel of this shape can run, or null.
inline const char* refuse_shape(const Problem& problem, const TemporalShape& shape) {
  const int radius = radius_of(problem), steps = shape.steps_per_pass,
            points = shape.rows * shape.lane_points;
  const auto size = static_cast<int>(element_size(problem.type));
  if (!has_kernel(radius, steps, shape.rows, shape.lane_points, size))
    return "this radius has no kernel for so many steps a pass and rows";
  if (shape.block_y > most_warps(radius, steps, points, size))
    return "too many threads for the registers that each needs";
  if (shared_points(radius, shape) * element_size(problem.type) > 227 * 1024)
    return "more than 227 KiB of shared memory a block";
  const Tiles tiles = tiles_of(problem.extents.x, problem.extents.y, radius, shape);
  if (tiles.rows == 0) return "the tile is all halo";
  if (problem.extents.x % shape.lane_points != 0 && shape.lane_points != 4)
    return "rows of this length are taken 4 points a thread";
  return nullptr;
}

inline std::vector<int> warp_choices() { return {1, 2, 4, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20}; }
inline std::vector<int> wave_choices() { return {1, 2, 3, 4, 6, 8}; }

inline std::int64_t passes_of(const Problem& problem, const TemporalShape& shape) {
  return (steps_of(problem) + shape.steps_per_pass - 1) / shape.steps_per_pass;
}

// How the planes are split among the blocks: `planes` planes a part at most; blocks that the busiest multiprocessor
// runs, one after another.
struct Parts {
  std::int64_t planes, rounds;
};

inline Parts parts_of(const Problem& problem, const TemporalShape& shape, int multiprocessors) {
  const Extents& box = problem.extents;
  const std::int64_t tiles = tiles_of(box.x, box.y, radius_of(problem), shape).blocks();
  const std::int64_t parts = std::max<std::int64_t>(1, std::int64_t{shape.waves} * multiprocessors / tiles);
  const std::int64_t planes = (box.z + parts - 1) / parts;
  const std::int64_t blocks = (box.z + planes - 1) / planes * tiles;
  return {planes, (blocks + multiprocessors - 1) / multiprocessors};
}

// A kernel with what a point and step cost by measurement, in cycles of a lane of a multiprocessor's 128.
struct Form {
  int radius, steps, rows, lane_points, cycles;
};

// The fastest kernels of each radius, and one for every number of steps that is left; measured on an H100.
inline constexpr Form float_forms[] = {
    {1, 4, 2, 4, 21}, {1, 4, 4, 4, 21}, {1, 3, 2, 8, 20}, {1, 3, 2, 4, 28}, {1, 3, 3, 4, 27},
    {1, 2, 2, 8, 30}, {1, 1, 2, 8, 51}, {1, 1, 2, 4, 68}, {2, 2, 2, 8, 44}, {2, 2, 2, 4, 43},
    {2, 2, 3, 4, 46}, {2, 1, 2, 8, 68}, {2, 1, 3, 4, 90}, {3, 2, 4, 4, 46}, {3, 1, 2, 8, 56},
    {3, 1, 1, 8, 62}, {3, 1, 3, 4, 90}, {4, 1, 2, 8, 80}, {4, 1, 3, 4, 92}, {4, 1, 4, 4, 102}};
inline constexpr Form double_forms[] = {
    {1, 3, 3, 4, 52},  {1, 3, 2, 4, 54},  {1, 3, 1, 8, 44},  {1, 2, 3, 4, 88},  {1, 1, 3, 4, 102},
    {1, 1, 1, 8, 102}, {2, 2, 3, 4, 99},  {2, 2, 2, 4, 113}, {2, 1, 2, 8, 107}, {2, 1, 3, 4, 135},
    {3, 1, 3, 4, 158}, {3, 1, 2, 4, 226}, {3, 1, 1, 8, 139}, {4, 1, 1, 8, 177}, {4, 1, 2, 4, 222}};

struct Machine {
  int multiprocessors;
  double bytes_a_cycle;  // of memory, a multiprocessor's share
};

// Cycles that the busiest multiprocessor takes for all steps, halos and idle lanes included: a plane takes what its
// points or its bytes take, the points longer with few warps, and a little however few they are; a block takes two
// planes until the first is there. The three constants are what the same measurements were fitted with.
inline double work_of(const Problem& problem, const TemporalShape& shape, int cycles,
                      const Machine& machine) {
  constexpr double of_a_plane = 50, planes_to_start = 2, warps_short = 2;
  const Parts parts = parts_of(problem, shape, machine.multiprocessors);
  const double points = 1.0 * shape.height() * shape.width();
  const double computing = points * shape.steps_per_pass * cycles / 128 * (1 + warps_short / shape.block_y);
  const double moving = 2 * points * static_cast<double>(element_size(problem.type)) / machine.bytes_a_cycle;
  const double planes =
      static_cast<double>(parts.planes + 2 * shape.lag(radius_of(problem))) + planes_to_start;
  return static_cast<double>(passes_of(problem, shape) * parts.rounds) * planes *
         (std::max(computing, moving) + of_a_plane);
}

inline bool any_form(const TemporalShape&) { return true; }

// The shape with the least work, of those that `takes` takes.
template <std::size_t count, typename Takes>
void adapt_shape(const Form (&forms)[count], const Problem& problem, const Machine& machine,
                 TemporalShape& best, Takes takes) {
  double least = 0;
  for (const Form& form : forms)
    for (const int warps : warp_choices())
      for (const int waves : wave_choices()) {
        const TemporalShape shape = {warps, form.rows, form.steps, waves, form.lane_points};
        if (form.radius != radius_of(problem) || !takes(shape) || refuse_shape(problem, shape)) continue;
        const double work = work_of(problem, shape, form.cycles, machine);
        if (least == 0 || work < least) least = work, best = shape;
      }
}

template <typename Takes = bool (*)(const TemporalShape&)>
void adapt_shape(const Problem& problem, const Machine& machine, TemporalShape& best,
                 Takes takes = any_form) {
  if (problem.type == ElementType::float32)
    adapt_shape(float_forms, problem, machine, best, takes);
  else
    adapt_shape(double_forms, problem, machine, best, takes);
}

}  // namespace sextant::heat3d
