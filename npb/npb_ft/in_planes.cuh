// Passes of NAS FT for fields stored in planes. One kernel does the passes along x and y (planes.cuh); it
// reads a plane's columns from the L2 cache.
//
//     along x and y   rows, then columns of every plane: of the initial field or of v; result in v or w
//     along z         a tile of columns spans all planes of v; its elements are contiguous in U
//
// v stores plane after plane, with rows along x. A plane may be split into two parts of half the rows, one of
// even and one of odd y. The pass along z then completes the transform along y.
#pragma once

#include "passes.cuh"

namespace sextant::npb_ft {

// The planes, or the parts of split planes, and their division into tiles.
struct Planes {
  std::int64_t count;
  int parts, rows;  // parts per plane; rows along x per part
  int tile, tiles;  // elements of a tile of rows or columns; tiles per part
  int width;        // columns per part in a tile of the pass along z

  Planes(const Problem& problem, const Tuning& tuning) {
    const Extents& e = problem.extents;
    parts = tuning.plane_slices;
    count = e.z * parts;
    rows = static_cast<int>(e.y / parts);
    tile = static_cast<int>(std::min(rows * e.x, std::max(e.x, std::int64_t{tuning.tile})));
    tiles = static_cast<int>(rows * e.x / tile);
    width = static_cast<int>(std::min<std::int64_t>(e.x, tuning.width));
  }
  int columns() const { return width * parts; }  // columns per block of the pass along z
};

// Returns the bytes of the counters. The initial field and each step have one counter of tiles taken, and one
// counter per plane of finished tiles of rows.
inline std::size_t counter_bytes(const Problem& problem, const Tuning& tuning) {
  const std::int64_t counters = (iterations(problem) + 1) * (1 + Planes(problem, tuning).count);
  return sizeof(unsigned) * static_cast<std::size_t>(counters);
}

// Sets up the kernels of the fused pass along x and y: one for the initial field, one for a step. Only
// cuda.passes.cu defines this function.
const char* set_up_xy(const Problem& problem, const Tuning& tuning, Launch<PlanesPass>& start,
                      Launch<PlanesPass>& step);

inline const char* refuse_planes(const Problem& problem, const Tuning& tuning) {
  const Planes planes(problem, tuning);
  if (!has_kernel(planes.rows, problem.extents.x)) return "fuse_xy=1 has no kernel for planes of this shape";
  if (problem.extents.z * planes.columns() > most_elements)
    return "more than 8192 elements per block along z";
  // Shuffles between the lanes of a warp combine the two parts of a plane.
  return planes.columns() > 32 ? "more than 32 columns per block along z" : nullptr;
}

namespace {

struct PlanePasses : Passes {
  const Planes planes;

  explicit PlanePasses(const Call& call_) : Passes(call_), planes(call_.problem, tuning) {}

  // Number of elements of a tile along z.
  std::int64_t tile_elements() const { return std::int64_t{all_z} * planes.columns(); }

  // Performs the passes along x and y: for the initial field if `turn` is 0, else after the pass along z of
  // step `turn`.
  void along_xy(std::int64_t turn, Pair* to, Pair* captured) const {
    call.phase("fft_xy");
    unsigned* const counters = state.counters.data + turn * (1 + planes.count);
    const std::int64_t ahead =
        (std::int64_t{tuning.column_lag_mib} << 20) / static_cast<std::int64_t>(sizeof(Pair)) / planes.tile;
    PlanesPass pass = {};
    pass.data = state.v, pass.to = to;
    pass.to_plane = e.x * e.y, pass.to_part = e.x * planes.rows, pass.to_row = e.x;
    if (to != state.v) pass.to_part = e.x, pass.to_row = e.x * planes.parts;  // w has the natural order
    pass.factors_x = state.factors.data, pass.factors_y = state.factors.data + e.x;
    pass.drawn = counters, pass.finished = counters + 1;
    pass.log_tile = log2_of(planes.tile), pass.log_parts = log2_of(planes.parts);
    pass.planes = static_cast<int>(planes.count);
    pass.lag = static_cast<int>(std::min(planes.count * planes.tiles, planes.tiles + ahead));
    pass.ny = static_cast<int>(e.y), pass.nz = all_z, pass.first_z = first_z;
    pass.captured = captured;
    run(turn == 0 ? state.start_planes : state.planes, pass);
  }

  // Returns the inverse transform's pass along z, without the addresses of its fields.
  YzPass along_z() const {
    call.phase("fft_z");
    YzPass pass = {};
    const int width = planes.width, columns = planes.columns();
    const std::int64_t tile = tile_elements();
    pass.read = {tile, e.x / width * tile, 0, columns, 0, width, 0};
    pass.write = {width, e.x, 0, e.x * e.y, 0, static_cast<int>(e.x) * planes.rows, 0};
    pass.factors = state.factors.data + e.x + planes.rows;
    pass.log_first = log2_of(e.x / width), pass.log_second = log2_of(planes.rows);
    pass.log_width = log2_of(width);
    pass.x = {width, 0, 0}, pass.y = {0, 1, static_cast<int>(e.y / 2)};
    return pass;
  }

  void set_up() const {
    cudaMemsetAsync(state.counters.data, 0, counter_bytes(call.problem, tuning), stream);
    make_factors({e.x, planes.rows, all_z}, points_in_planes, points_in_planes);
  }

  // `start` runs before the forward transform's pass along z, `finish` after the inverse transform's pass
  // along z.
  void start() const { along_xy(0, state.v, nullptr); }
  void finish(std::int64_t t) const { along_xy(t, state.fields.w, captured(t)); }
};

}  // namespace
}  // namespace sextant::npb_ft
