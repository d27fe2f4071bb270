// Passes of NAS FT for fields stored in bricks (blocked layout). The natural order would scatter the accesses
// of the passes along y and z. The field v is therefore divided into bricks of width x height x depth
// elements, with x varying fastest. Bricks follow each other along y, then x, then z:
//
//     along z   a tile has one brick of every layer of v; its elements are contiguous in U
//     along y   a tile is a column of bricks along y, in one of their `depth` planes
//     along x   a tile has slices of bricks, or rows of w in the natural order
//
// The passes along y and x work in place, so v and the transformed field U are the only fields.
#pragma once

#include "passes.cuh"

namespace sextant::npb_ft {

// Returns the number of lines along x per thread block, at most all lines of a plane.
inline int lines_of(const Problem& problem, const Tuning& tuning) {
  const Extents& e = problem.extents;
  const std::int64_t threads = e.x / std::min<std::int64_t>(e.x, tuning.points_x);
  return static_cast<int>(std::clamp<std::int64_t>(tuning.threads_x / threads, 1, e.y));
}

struct Brick {
  int width, height, depth;
};

inline Brick brick_of(const Problem& problem, const Tuning& tuning) {
  const Extents& e = problem.extents;
  const auto least = [](std::int64_t n, int wanted) {
    return static_cast<int>(std::min<std::int64_t>(n, wanted));
  };
  const auto threads = [=](std::int64_t n, int points) { return n / least(n, points); };
  // Adjacent threads have adjacent elements, so a side of a brick must not exceed the threads per line.
  return {least(threads(e.x, tuning.points_x), tuning.width),
          least(threads(e.y, tuning.points_y), tuning.height),
          least(threads(e.z, tuning.points_z), tuning.depth)};
}

// Set up the kernels of the passes. Only cuda.passes.cu defines these functions.
const char* set_up_x(const Problem& problem, const Tuning& tuning, Launch<XPass>& pass);
const char* set_up_y(const Problem& problem, const Tuning& tuning, Launch<YzPass>& pass);

inline const char* refuse_bricks(const Problem& problem, const Tuning& tuning) {
  const Extents& e = problem.extents;
  const Brick brick = brick_of(problem, tuning);
  if (std::max(e.y, e.z * brick.height) * brick.width > most_elements)
    return "more than 8192 elements per block";
  if (e.x * lines_of(problem, tuning) > most_elements) return "more than 8192 elements per block along x";
  return nullptr;
}

namespace {

struct BrickPasses : Passes {
  const Brick brick;
  // Range of planes for the passes along x and y.
  std::int64_t first_plane = 0, planes = e.z;

  explicit BrickPasses(const Call& call_) : Passes(call_), brick(brick_of(call_.problem, tuning)) {}

  std::int64_t layer() const { return e.x * e.y * brick.depth; }  // elements per layer of bricks
  std::int64_t pillar() const {
    return e.y * brick.width * brick.depth;
  }  // elements per column of bricks along y
  int brick_plane() const { return brick.width * brick.height; }
  // Number of elements of a tile along z.
  std::int64_t tile_elements() const { return std::int64_t{all_z} * brick_plane(); }

  // Number of elements before the first plane of this range.
  std::int64_t before() const { return first_plane * e.x * e.y; }
  template <typename Pass>
  Launch<Pass> of_planes(Launch<Pass> all) const {
    all.blocks = static_cast<unsigned>(all.blocks * planes / e.z);
    return all;
  }

  void along_x(const Pair* from, Pair* to, bool to_bricks, Pair* captured) const {
    call.phase("fft_x");
    const int log_width = log2_of(brick.width), log_depth = log2_of(brick.depth);
    const Bricks natural = {brick.width, e.x, e.x * e.y, 0, 0, log_width, 0, 0};
    const Bricks bricks = {pillar(),  brick_plane() * brick.depth, layer(),  brick.width, brick_plane(),
                           log_width, log2_of(brick.height),       log_depth};
    run(of_planes(state.x),
        {from ? from + before() : nullptr, to + before(), bricks, to_bricks ? bricks : natural,
         state.factors.data, captured, static_cast<int>(e.y), all_z, log2_of(lines_of(call.problem, tuning)),
         log_depth, first_z + static_cast<int>(first_plane)});
  }

  std::int64_t pillars() const { return e.x / brick.width; }

  // Processes `count` columns of bricks along y, starting with column `first`. A tile is one plane of a
  // column of bricks.
  void along_y(std::int64_t first, std::int64_t count) const {
    call.phase("fft_y");
    YzPass pass = {};
    pass.from = pass.to = state.v + before() + first * pillar();
    pass.read = {brick_plane(),        pillar(), layer(), brick_plane() * brick.depth, brick.width, 0,
                 log2_of(brick.height)};
    pass.write = pass.read;
    pass.factors = state.factors.data + e.x;
    pass.log_first = log2_of(brick.depth), pass.log_second = log2_of(count);
    pass.log_width = log2_of(brick.width);
    Launch<YzPass> of_these = of_planes(state.y);
    of_these.blocks = static_cast<unsigned>(of_these.blocks * count / pillars());
    run(of_these, pass);
  }
  void along_y() const { along_y(0, pillars()); }

  // Returns the inverse transform's pass along z, without the addresses of its fields.
  YzPass along_z() const {
    call.phase("fft_z");
    YzPass pass = {};
    const std::int64_t tile = tile_elements();
    pass.read = {tile, e.y / brick.height * tile, 0, brick_plane(), 0, brick.width, 0};
    pass.write = {brick_plane() * brick.depth, pillar(), 0, layer(), brick_plane(), brick.width,
                  log2_of(brick.depth)};
    pass.factors = state.factors.data + e.x + e.y;
    pass.log_first = log2_of(e.y / brick.height), pass.log_second = log2_of(e.x / brick.width);
    pass.log_width = log2_of(brick.width);
    pass.x = {0, brick.width, 0}, pass.y = {brick.height, 0, 1};
    return pass;
  }

  void take_half(int half) {
    planes = e.z / 2;
    first_plane = half * planes;
  }

  void set_up() const { make_factors({e.x, e.y, all_z}, tuning.points_x, tuning.points_y); }

  // `start` runs before the forward transform's pass along z, `finish` after the inverse transform's pass
  // along z.
  void start_along_x() const { along_x(nullptr, state.v, true, nullptr); }
  void start() const {
    start_along_x();
    along_y();
  }
  void finish(std::int64_t t) const {
    along_y();
    along_x(state.v, state.fields.w, state.v == state.fields.w, captured(t));
  }
};

}  // namespace
}  // namespace sextant::npb_ft
