// Divides a box into tiles for the variant `temporal`. Tunings and the kernel use these functions. Tests call
// them without a GPU.
//
// A tile is 32 * points_per_lane points wide. Adjacent tiles overlap, because a tile does not store the
// points at its inner edges. The remainder of a row forms a last column of tiles. These are as wide as the
// others or narrower by a power of two, down to a sixteenth. If they are narrower, a thread block computes 2
// to 16 (`folds`) of them side by side, each on a part of the lanes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "steps.hpp"

namespace sextant::heat3d {

inline constexpr int warp_lanes = 32;

// Number of planes below the current one that stage 1 keeps in registers instead of the ring buffer. Only
// passes of a single step have enough registers.
constexpr int planes_kept(int radius, int steps) { return steps == 1 && radius > 1 ? radius : 0; }

// Number of planes that copies run ahead of the computation. A pass of a single step is limited by memory and
// uses 2. With radius 4 it uses 1, so that shared memory suffices for tiles of 24 rows.
constexpr int planes_ahead(int radius, int steps) { return steps == 1 && radius < 4 ? 2 : 1; }

constexpr int ring_planes(int radius, int steps) {
  return 2 * radius + 1 - planes_kept(radius, steps) + planes_ahead(radius, steps);
}

// Maximum number of warps per block for which the register file suffices. A thread needs registers for its
// queues, a sum, operands and addresses.
constexpr int most_warps(int radius, int steps, int row_points, int element_bytes) {
  // `row_points` is the number of points in all rows of a thread.
  const int words = row_points * element_bytes / 4;
  const int operands = steps == 1 && radius < 3 && element_bytes == 4 ? 4 : 3;
  const int registers = ((steps - 1) * 2 * radius + planes_kept(radius, steps) + operands) * words + 48;
  // A quarter of a multiprocessor has 512 registers per lane.
  return std::min(registers > 255 ? 0 : 512 / registers * 4, 20);
}

// Tunables of a tile: warps per block, rows per warp (the product is the tile's height), steps per pass,
// waves of blocks, and consecutive points of a row per thread.
struct TemporalShape {
  int block_y = 8, rows = 2, steps_per_pass = 2, waves = 1, points_per_lane = 8;
  // 1: do not divide along z the tiles that fill whole rounds of all multiprocessors.
  int uncut_tiles_first = 0;
  // 1: give each divided tile a shorter last chunk. It fills the time in which other blocks leave
  // multiprocessors idle.
  int long_tiles_first = 0;
  int height() const { return block_y * rows; }
  int width() const { return warp_lanes * points_per_lane; }
  int lag(int radius) const { return (steps_per_pass - 1) * radius; }
};

// Number of points that a tile does not store at an inner edge along x, rounded up to whole vectors of four
// floats.
constexpr int halo_along_x(int radius, int steps) { return (steps * radius + 3) / 4 * 4; }

// Divides n by `by` with a multiplication, for n in [0, 2^32 / by). If n is uniform across lanes, the
// compiler recognises that the quotient is uniform too.
struct Divisor {
  unsigned by, inverse;
  explicit Divisor(int divisor) : by(static_cast<unsigned>(std::max(divisor, 1))), inverse(~0u / by) {}
  __host__ __device__ int quotient(int n) const {
    return static_cast<int>((static_cast<std::uint64_t>(n) + 1) * inverse >> 32);
  }
};

// The tiles of a plane: `full` columns of whole tiles, then the last column.
struct Tiles {
  int width, height;   // points of a whole tile along x and y
  int halo_x, halo_y;  // points that a tile does not store at each inner edge
  int full, folds;
  int rows;  // number of rows of tiles
  Divisor by_full = Divisor(1);

  __host__ __device__ int stride_x() const { return width - 2 * halo_x; }
  __host__ __device__ int stride_y() const { return height - 2 * halo_y; }
  __host__ __device__ int whole() const { return full * rows; }
  int last() const { return (rows + folds - 1) / folds; }  // number of blocks for the last column
  std::int64_t blocks() const { return std::int64_t{full} * rows + last(); }
};

// Returns how many tiles of `size` points, `stride` apart, cover an axis of n points. Returns 0 if the tile
// would be all halo.
inline int tiles_along(std::int64_t n, int size, int stride) {
  if (n <= size) return 1;
  return stride > 0 ? static_cast<int>((n - size + stride - 1) / stride) + 1 : 0;
}

// Number of rows per thread in the kernel for side-by-side tiles. That kernel has fewer free registers.
constexpr int rows_when_folded(int radius, int steps, int rows, int points_per_lane) {
  return radius == 3 && steps == 1 && rows == 2 && points_per_lane == 8 ? 1 : rows;
}

// True if the kernel may compute tiles side by side; false if the compiler would spill most of a thread's
// values.
constexpr bool may_fold(int radius, int steps, int points_per_lane) {
  return !(radius == 2 && steps == 2 && points_per_lane == 8);
}

// Minimum width of side-by-side tiles, in points.
constexpr int narrowest(int radius, const TemporalShape& shape) {
  return radius == 1 && shape.rows == 2 && shape.points_per_lane == 8 ? 16 : 32;
}

// Returns the tiles of planes of nx by ny points. Along y the ring buffer provides the halo of the first
// step.
inline Tiles tiles_of(std::int64_t nx, std::int64_t ny, int radius, const TemporalShape& shape, bool folds) {
  const int steps = shape.steps_per_pass;
  Tiles tiles = {shape.width(), shape.height(), halo_along_x(radius, steps), (steps - 1) * radius, 0, 1, 0};
  const int columns = tiles_along(nx, tiles.width, tiles.stride_x());
  tiles.full = std::max(columns - 1, 0);
  tiles.rows = columns > 0 ? tiles_along(ny, tiles.height, tiles.stride_y()) : 0;
  tiles.by_full = Divisor(tiles.full);
  const std::int64_t left = nx - std::int64_t{tiles.full} * tiles.stride_x();
  const auto fits = [&](int side_by_side) {
    return left * side_by_side <= tiles.width && tiles.width / side_by_side >= narrowest(radius, shape);
  };
  while (folds && fits(tiles.folds * 2)) tiles.folds *= 2;
  // Two tiles side by side are not worth a separate launch if a thread has 16 points.
  if (tiles.folds == 2 && tiles.full > 0 && shape.rows * shape.points_per_lane == 16) tiles.folds = 1;
  return tiles;
}

inline Tiles tiles_of(std::int64_t nx, std::int64_t ny, int radius, const TemporalShape& shape) {
  return tiles_of(nx, ny, radius, shape, may_fold(radius, shape.steps_per_pass, shape.points_per_lane));
}

// As tiles_of, with the tiles of the last column side by side. It uses the number of rows per thread of the
// kernel for such tiles.
inline Tiles folded_tiles_of(std::int64_t nx, std::int64_t ny, int radius, TemporalShape shape) {
  const Tiles tiles = tiles_of(nx, ny, radius, shape);
  if (tiles.folds == 1) return tiles;
  shape.rows = rows_when_folded(radius, shape.steps_per_pass, shape.rows, shape.points_per_lane);
  return tiles_of(nx, ny, radius, shape);
}

// True if the kernel for side-by-side tiles also computes the whole tiles. In this case it has enough
// registers.
constexpr bool folded_takes_all(int points_per_lane, int element_bytes) {
  return points_per_lane == 4 && element_bytes == 4;
}

struct Range {
  int from, to;
  __host__ __device__ bool has(int i) const { return i >= from && i < to; }
};

// Returns the range of points that a tile stores along an axis of n points. The tile has `size` points, from
// point `begin` on. It stores all but the halo at edges inside the box.
__host__ __device__ inline Range stored_of(int begin, int size, int halo, int n) {
  return {begin == 0 ? 0 : begin + halo, begin + size >= n ? n : begin + size - halo};
}

// Position of a lane's tile in a plane of ny rows. With `folded`, lanes of a block may belong to different
// tiles. Otherwise all lanes have the same values, and the compiler recognises that.
template <bool folded>
struct TilePlace {
  // Width and first point of the lane's tile. `top` is ny if the lane has no tile.
  int width, left, top;
  int segment = 0;  // index of the tile among the block's side-by-side tiles
  __host__ __device__ TilePlace(const Tiles& tiles, int block, int lane, int ny) {
    const bool last = block >= tiles.whole();
    int row = tiles.by_full.quotient(block), column = block - row * tiles.full;
    if (last) row = block - tiles.whole(), column = tiles.full;
    width = tiles.width;
    if (folded && last) {
      segment = lane * tiles.folds / warp_lanes;
      width /= tiles.folds;
      row = row * tiles.folds + segment;
    }
    left = column * tiles.stride_x();
    top = row < tiles.rows ? row * tiles.stride_y() : ny;
  }
};

// Assigns tiles to thread blocks, from tile number `tile` on. The first `whole` tiles get one block each. The
// other tiles are divided into chunks of `planes` planes with one block each.
struct ZCut {
  int tile = 0, whole = 0, planes = 1;
  int rest = 0;  // number of tiles that are divided into chunks
  Divisor by_rest = Divisor(1);
  std::int64_t blocks = 0;
};

struct Piece {
  int tile, first, last;
};

__host__ __device__ inline Piece piece_of(const ZCut& cut, int block, int nz) {
  const int beyond = block - cut.whole;
  if (beyond < 0) return {cut.tile + block, 0, nz};
  const int part = cut.by_rest.quotient(beyond), first = part * cut.planes;
  return {cut.tile + cut.whole + beyond - part * cut.rest, first,
          first + cut.planes < nz ? first + cut.planes : nz};
}

// A compiled kernel and its measured cost per point and step. The unit is cycles of one of a multiprocessor's
// 128 lanes.
struct Form {
  int radius, steps, rows, points_per_lane, cycles;
};

// The compiled kernels: the fastest ones for each radius, and one for each number of steps that the last pass
// may have. Costs were measured on an H200.
inline constexpr Form float_forms[] = {
    {1, 4, 2, 4, 21}, {1, 3, 2, 8, 18}, {1, 3, 2, 4, 25}, {1, 2, 2, 8, 30},
    {1, 1, 2, 8, 52}, {1, 1, 2, 4, 89}, {2, 2, 2, 4, 38}, {2, 2, 2, 8, 28},
    {2, 1, 2, 8, 48}, {2, 1, 3, 4, 78}, {3, 2, 4, 4, 44}, {3, 1, 2, 8, 52},
    {3, 1, 3, 4, 80}, {3, 1, 2, 4, 91}, {4, 1, 2, 8, 62}, {4, 1, 2, 4, 75}};
inline constexpr Form double_forms[] = {
    {1, 3, 2, 4, 33},  {1, 3, 1, 8, 40},  {1, 2, 2, 4, 54}, {1, 1, 1, 8, 111}, {1, 1, 2, 4, 145},
    {2, 2, 2, 4, 73},  {2, 1, 2, 8, 89},  {2, 1, 3, 4, 92}, {3, 1, 3, 4, 103}, {3, 1, 1, 8, 119},
    {3, 1, 2, 4, 149}, {4, 1, 2, 4, 119}, {4, 1, 1, 8, 140}};

// Returns true if this kernel is compiled. Each kernel in the list is also compiled for fewer steps.
constexpr bool has_kernel(int radius, int steps, int rows, int points_per_lane, int element_bytes) {
  const auto is_like = [&](const Form& form) {
    return form.radius == radius && form.steps >= steps && form.rows == rows &&
           form.points_per_lane == points_per_lane;
  };
  return element_bytes == 4 ? std::ranges::any_of(float_forms, is_like)
                            : std::ranges::any_of(double_forms, is_like);
}

// True if kernels with 8 points per thread accept rows whose length is a multiple of 4 but not of 8. Kernels
// with 4 points per thread accept any length.
constexpr bool takes_parts_of_threads(int radius, int element_bytes) {
  return radius == 1 && element_bytes == 4;
}
constexpr bool takes_width(std::int64_t nx, int radius, int points_per_lane, int element_bytes) {
  return points_per_lane == 4 || nx % points_per_lane == 0 ||
         (nx % 4 == 0 && takes_parts_of_threads(radius, element_bytes));
}

// True if kernels read and write unaligned rows point by point. False if the compiler would then spill most
// of a thread's values. Such kernels use padded copies of u and v instead.
constexpr bool moves_points(int radius, int element_bytes) {
  return radius == 1 || (radius == 2 && element_bytes == 4);
}

// Returns the elements of shared memory that a block needs.
inline std::size_t shared_points(int radius, const TemporalShape& shape) {
  const int steps = shape.steps_per_pass, height = shape.height();
  const int rows = ring_planes(radius, steps) * (height + 2 * radius) + 2 * (steps - 1) * height +
                   (planes_kept(radius, steps) > 0 ? height : 0);
  return static_cast<std::size_t>(rows * shape.width());
}

// Returns null, or why no kernel of this shape can run the problem.
inline const char* refuse_shape(const Problem& problem, const TemporalShape& shape) {
  const int radius = radius_of(problem), steps = shape.steps_per_pass,
            points = shape.rows * shape.points_per_lane;
  const auto size = static_cast<int>(element_size(problem.type));
  if (!has_kernel(radius, steps, shape.rows, shape.points_per_lane, size))
    return "no kernel is compiled for this radius, rows, steps_per_pass and points_per_lane";
  if (shape.block_y > most_warps(radius, steps, points, size))
    return "too many threads per block for the register file";
  if (shared_points(radius, shape) * element_size(problem.type) > 227 * 1024)
    return "needs more than 227 KiB of shared memory per block";
  const Tiles tiles = tiles_of(problem.extents.x, problem.extents.y, radius, shape);
  if (tiles.rows == 0) return "the tile has only halo points: reduce steps_per_pass or increase block_y";
  if (tiles.blocks() * std::max(tiles.full, 1) > UINT32_MAX) return "too many tiles for 32-bit tile numbers";
  if (!takes_width(problem.extents.x, radius, shape.points_per_lane, size))
    return "rows of this length need points_per_lane=4";
  return nullptr;
}

inline std::vector<int> warp_choices() { return {1, 2, 4, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20}; }
inline std::vector<int> wave_choices() { return {1, 2, 3, 4, 6, 8}; }

inline std::int64_t passes_of(const Problem& problem, const TemporalShape& shape) {
  return (steps_of(problem) + shape.steps_per_pass - 1) / shape.steps_per_pass;
}

inline ZCut cut_at(std::int64_t planes, std::int64_t nz, int tile, std::int64_t whole, std::int64_t rest) {
  return {tile,
          static_cast<int>(whole),
          static_cast<int>(planes),
          static_cast<int>(rest),
          Divisor(static_cast<int>(rest)),
          whole + rest * ((nz + planes - 1) / planes)};
}

// Returns how many tiles are not divided along z. With `uncut_tiles_first`, these are the tiles that fill
// whole rounds of all multiprocessors; otherwise there are none.
inline std::int64_t whole_of(std::int64_t tiles, const TemporalShape& shape, int multiprocessors) {
  return shape.uncut_tiles_first ? tiles / multiprocessors * multiprocessors : 0;
}

// Returns the number of chunks per divided tile. `rest` tiles are divided.
inline std::int64_t parts_of(std::int64_t rest, const TemporalShape& shape, int multiprocessors) {
  return std::max<std::int64_t>(
      1, std::int64_t{shape.waves} * multiprocessors / std::max<std::int64_t>(rest, 1));
}

// Distributes `tiles` tiles of nz planes, in equal chunks, over the given number of multiprocessors.
inline ZCut cut_planes(std::int64_t tiles, std::int64_t nz, const TemporalShape& shape, int multiprocessors) {
  const std::int64_t whole = whole_of(tiles, shape, multiprocessors), rest = tiles - whole,
                     parts = parts_of(rest, shape, multiprocessors);
  return cut_at((nz + parts - 1) / parts, nz, 0, whole, rest);
}

// Returns the distribution for a separate launch that computes `count` tiles of `all`, from tile `from` on.
// That launch numbers its tiles from `tile` on.
inline ZCut cut_some(const ZCut& all, std::int64_t nz, int from, int count, int tile) {
  const int whole = std::clamp(all.whole - from, 0, count);
  return cut_at(all.planes, nz, tile, whole, count - whole);
}

// Simulates how blocks are scheduled. Each multiprocessor takes the next block as soon as it is free.
class Queues {
 public:
  explicit Queues(int multiprocessors) { loads_.push_back({0, multiprocessors}); }

  // Schedules `blocks` blocks, each of which takes `time`.
  void take(std::int64_t blocks, double time) {
    while (blocks > 0) {
      auto least = std::ranges::min_element(loads_, {}, &Load::time);
      const Load more = {least->time + time, std::min(blocks, least->count)};
      blocks -= more.count;
      longest_ = std::max(longest_, more.time);
      if (more.count == least->count) {
        *least = more;
      } else {
        least->count -= more.count;
        loads_.push_back(more);
      }
    }
  }

  // Schedules all blocks of a distribution. Each block processes `extra` planes in addition to those that it
  // stores. A plane takes `slower` times the usual time.
  void take(const ZCut& cut, std::int64_t nz, std::int64_t extra, double slower) {
    const std::int64_t parts = cut.rest > 0 ? (cut.blocks - cut.whole) / cut.rest : 1,
                       last = nz - (parts - 1) * cut.planes;
    take(cut.whole, slower * static_cast<double>(nz + extra));
    take(cut.rest * (parts - 1), slower * static_cast<double>(cut.planes + extra));
    take(cut.rest, slower * static_cast<double>(last + extra));
  }

  double longest() const { return longest_; }

 private:
  struct Load {
    double time;
    std::int64_t count;
  };
  std::vector<Load> loads_;
  double longest_ = 0;
};

// The launches of a pass and their order. One launch computes whole tiles; a second one may compute
// side-by-side tiles. `planes` is the number of planes that the busiest multiprocessor processes.
struct PassCut {
  ZCut whole, folded;
  bool folded_first = false;
  double planes = 0;
  std::int64_t longest_block(std::int64_t nz) const {
    return whole.whole + folded.whole > 0 ? nz : std::max(whole.planes, folded.planes);
  }
};

// Time of a plane of side-by-side tiles in a separate launch, relative to a plane of whole tiles.
inline double slower_folded(const Problem& problem, const TemporalShape& shape) {
  const int radius = radius_of(problem);
  return rows_when_folded(radius, shape.steps_per_pass, shape.rows, shape.points_per_lane) < shape.rows
             ? 1
             : 1.35;
}

// Returns the pass that consists of these two launches, in the order that finishes sooner.
inline PassCut ordered(const ZCut& whole, const ZCut& folded, std::int64_t nz, int multiprocessors,
                       std::int64_t extra, double slower) {
  PassCut pass = {whole, folded, false, 0};
  for (const bool folded_first : {false, true}) {
    if (folded_first && (folded.blocks == 0 || whole.blocks == 0)) break;
    Queues queues(multiprocessors);
    if (folded_first) queues.take(folded, nz, extra, slower);
    queues.take(whole, nz, extra, 1);
    if (!folded_first && folded.blocks > 0) queues.take(folded, nz, extra, slower);
    if (pass.planes == 0 || queues.longest() < pass.planes)
      pass.planes = queues.longest(), pass.folded_first = folded_first;
  }
  return pass;
}

// Returns how many planes of work a block has in addition to the planes that it stores. It processes 2 * lag
// planes before the first stored one. Waiting for the first copy takes the time of four planes.
inline std::int64_t planes_beside(const Problem& problem, const TemporalShape& shape) {
  return 2 * shape.lag(radius_of(problem)) + 4;
}

// Returns the distribution that finishes soonest if each tile has `parts` equally long chunks and a shorter
// one. A chunk of side-by-side tiles takes no longer than a long chunk.
inline PassCut cut_long_first(std::int64_t tiles, int folded, std::int64_t nz, const TemporalShape& shape,
                              int multiprocessors, std::int64_t extra, double slower) {
  constexpr std::int64_t tries = 24;
  const std::int64_t not_cut = whole_of(tiles, shape, multiprocessors), rest = tiles - not_cut,
                     parts = parts_of(rest, shape, multiprocessors), longest = (nz + parts - 1) / parts,
                     shortest = std::min(longest, nz / (parts + 1) + 1),
                     step = std::max<std::int64_t>(1, (longest - shortest) / tries);
  PassCut best = {};
  for (std::int64_t planes = longest; planes >= shortest; planes -= step) {
    const auto parts_folded =
        static_cast<std::int64_t>(std::ceil(slower * static_cast<double>(nz) / static_cast<double>(planes)));
    const PassCut pass = ordered(cut_at(planes, nz, 0, not_cut, rest),
                                 cut_at((nz + parts_folded - 1) / parts_folded, nz, 0, 0, folded), nz,
                                 multiprocessors, extra, slower);
    if (best.planes == 0 || pass.planes < best.planes) best = pass;
  }
  return best;
}

// Returns true if the side-by-side tiles of a pass have a separate launch.
inline bool launches_folded(const Problem& problem, const TemporalShape& shape) {
  const Extents& box = problem.extents;
  return tiles_of(box.x, box.y, radius_of(problem), shape).folds > 1 &&
         !folded_takes_all(shape.points_per_lane, static_cast<int>(element_size(problem.type)));
}

inline PassCut cut_of(const Problem& problem, const TemporalShape& shape, int multiprocessors) {
  const Extents& box = problem.extents;
  const int radius = radius_of(problem);
  const Tiles tiles = tiles_of(box.x, box.y, radius, shape),
              others = folded_tiles_of(box.x, box.y, radius, shape);
  const bool both = launches_folded(problem, shape);
  const std::int64_t extra = planes_beside(problem, shape);
  const double slower = slower_folded(problem, shape);
  const int folded = both ? others.last() : 0;
  const std::int64_t whole = both ? tiles.whole() : tiles.blocks();
  PassCut pass;
  if (shape.long_tiles_first) {
    pass = cut_long_first(whole, folded, box.z, shape, multiprocessors, extra, slower);
  } else {
    const ZCut all = cut_planes(whole + folded, box.z, shape, multiprocessors);
    pass = ordered(cut_some(all, box.z, 0, static_cast<int>(whole), 0),
                   cut_some(all, box.z, static_cast<int>(whole), folded, 0), box.z, multiprocessors, extra,
                   slower);
  }
  pass.folded.tile = others.whole();
  return pass;
}

struct Machine {
  int multiprocessors;
  double bytes_a_cycle;  // memory bandwidth per multiprocessor
};

// Returns the estimated cycles that the busiest multiprocessor takes for all steps, including halos and idle
// lanes. A plane takes the maximum of its computing time and its memory time, plus a constant. Computing
// takes longer with few warps, and if the four schedulers have different numbers of warps. A block needs the
// time of four planes until the first arrives. Multiprocessors are not equally fast, which matters more the
// longer the blocks are.
// The constants were fitted to the measurements of the kernels listed above.
inline double work_of(const Problem& problem, const TemporalShape& shape, int cycles,
                      const Machine& machine) {
  constexpr double of_a_plane = 150, warps_short = 2, waiting = 0.25, uneven = 0.06;
  const double points = 1.0 * shape.height() * shape.width();
  const double idle_warps = (shape.block_y + 3) / 4 * 4 - shape.block_y;
  const double computing = points * shape.steps_per_pass * cycles / 128 * (1 + warps_short / shape.block_y) *
                           (1 + waiting * idle_warps / shape.block_y);
  const double moving = 2 * points * static_cast<double>(element_size(problem.type)) / machine.bytes_a_cycle;
  const PassCut cut = cut_of(problem, shape, machine.multiprocessors);
  const double planes = cut.planes + uneven * static_cast<double>(cut.longest_block(problem.extents.z));
  return static_cast<double>(passes_of(problem, shape)) * planes * (std::max(computing, moving) + of_a_plane);
}

inline bool any_form(const TemporalShape&) { return true; }

// Chooses the shape with the least estimated work among those for which `takes` returns true.
template <std::size_t count, typename Takes>
void adapt_shape(const Form (&forms)[count], const Problem& problem, const Machine& machine,
                 TemporalShape& best, Takes takes) {
  double least = 0;
  for (const Form& form : forms)
    for (const int warps : warp_choices())
      for (const int waves : wave_choices())
        for (const int first : {0, 1, 2, 3}) {
          const TemporalShape shape = {warps,     form.rows, form.steps, waves, form.points_per_lane,
                                       first & 1, first >> 1};
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
