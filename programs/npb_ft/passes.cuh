// Every dimension of every transform is one read and one write of the field, and nothing else touches it: the
// start is made where the first transform would read it, the decay is applied as the inverse one reads U, the
// checksum's points are put aside as the last one writes w, and are added up in the end. Parts are exchanged
// before and after the forward transform (by who makes the start, by who reads U), which makes the inverse
// one do for both.
//
// Memory is fast where neighbouring blocks read and write neighbouring memory, which passes along y and z of
// a field in its natural order do not: so U and v, between the passes, are laid out for them. w is v itself,
// unless it is an output: then the last pass leaves it in the natural order.
//
// Bytes: 16 for every point and pass, read and written: (5 + 6 iterations) 16 N. At 4.3 TB/s that is 15.6 ms
// for class B, 62.4 ms for C, 1.24 s for D. `together` aims below that where planes are small: the passes
// along x and y meet in the second-level cache (planes.cuh); at best (3 + 4 iterations) 16 N bytes are left.
// v is then in the natural order, or that of the planes' parts.
#pragma once

#include "gpu_state.cuh"
#include "lines.cuh"
#include "planes.cuh"

namespace sextant::npb_ft {
namespace {

enum Tuning {
  points_x,
  points_y,
  points_z,
  width,
  height,
  depth,
  threads_x,
  together,
  parts,
  tile,
  ahead,
  pairs_x
};

// How a dimension's passes are launched.
template <typename Pass>
struct Launch {
  void (*kernel)(Pass) = nullptr;
  dim3 block;
  int shared_bytes = 0;
  unsigned blocks = 0;

  // More shared memory than the 48 KiB that every kernel may have must be asked for.
  const char* set_up(std::int64_t tiles) {
    blocks = static_cast<unsigned>(tiles);
    const cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
    return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
  }
};

struct State {
  GpuFields<Pair> fields;
  DeviceMemory<Pair> v_memory, factors, captured;
  Pair* v = nullptr;  // w itself, if that need not be in the natural order
  DeviceMemory<double> decay;
  Launch<XPass> x;
  Launch<YzPass> y, z;
  Launch<PlanesPass> start_planes, planes;
  DeviceMemory<unsigned> counters;  // of each run of planes: tickets, then every plane's finished rows
};

// The factors of x, y and z, each as its transform wants them.
__global__ void fill_factors(Extents e, int along_x, int along_y, int along_z, Pair* factors) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= e.x + e.y + e.z) return;
  const AxisIndex at = axis_index(e, index);
  const int n = static_cast<int>(at.n), points = at.axis == 0 ? along_x : at.axis == 1 ? along_y : along_z;
  factors[index] = factor_at(static_cast<int>(at.i), n, min(n, points));
}

__global__ void add_captured(const Pair* captured, double scale, Complex* sums) {
  captured += static_cast<std::int64_t>(blockIdx.x) * checksum_points;
  add_points<Pair>([=](int j) { return captured[j - 1]; }, scale, sums);
}

// Lines along x that a block takes; never more than there are.
int lines_of(const Problem& problem, const int* tuning) {
  const Extents& e = problem.extents;
  const std::int64_t threads = e.x / std::min<std::int64_t>(e.x, tuning[points_x]);
  return static_cast<int>(std::clamp<std::int64_t>(tuning[threads_x] / threads, 1, e.y));
}

// What v is cut into. A brick's elements lie side by side, x fastest; bricks follow one another along y, then
// x, then z.
struct Brick {
  int width, height, depth;
};

Brick brick_of(const Problem& problem, const int* tuning) {
  const Extents& e = problem.extents;
  const auto least = [](std::int64_t n, int wanted) {
    return static_cast<int>(std::min<std::int64_t>(n, wanted));
  };
  const auto threads = [=](std::int64_t n, int points) { return n / least(n, points); };
  // Neighbouring threads have neighbouring elements, so no brick is longer than a line has threads.
  return {least(threads(e.x, tuning[points_x]), tuning[width]),
          least(threads(e.y, tuning[points_y]), tuning[height]),
          least(threads(e.z, tuning[points_z]), tuning[depth])};
}

// Lines along x: `lines` of them a block.
const char* set_up_x(const Problem& problem, const int* tuning, Launch<XPass>& pass) {
  const Extents& e = problem.extents;
  const int lines = lines_of(problem, tuning), log_width = log2_of(brick_of(problem, tuning).width);
  with_line(e.x, tuning[points_x], [&]<int n, int points>() {
    const bool pairs = tuning[pairs_x];
    pass.kernel = pairs ? transform_x<n, points, Pair> : transform_x<n, points, double>;
    pass.block = dim3(static_cast<unsigned>(n / points * lines));
    pass.shared_bytes = static_cast<int>(pairs ? sizeof(Pair) : sizeof(double)) * lines *
                        x_line_elements(n, points, log_width);
  });
  return pass.set_up(e.y * e.z / lines);
}

// Lines along y or z.
template <bool joined = false>
const char* set_up_yz(const Problem& problem, int points_wanted, std::int64_t length, int columns,
                      Launch<YzPass>& pass) {
  with_line(length, points_wanted, [&]<int n, int points>() {
    pass.kernel = transform_yz<n, points, joined>;
    pass.block = dim3(static_cast<unsigned>(columns), n / points);
    pass.shared_bytes = static_cast<int>(sizeof(double)) * columns * exchange_elements(n, points);
  });
  return pass.set_up(problem.extents.count() / length / columns);
}

// Planes as the kernel for both of their passes takes them: parts of rows of x, and their tiles.
struct Planes {
  int parts, rows, tile, tiles, width;  // width: columns of a tile of the pass along z, of every part
  std::int64_t count;

  Planes(const Problem& problem, const int* tuning) {
    const Extents& e = problem.extents;
    parts = tuning[npb_ft::parts];
    rows = static_cast<int>(e.y / parts);
    tile = static_cast<int>(std::min(rows * e.x, std::max(e.x, std::int64_t{tuning[npb_ft::tile]})));
    tiles = static_cast<int>(rows * e.x / tile);
    width = static_cast<int>(std::min<std::int64_t>(e.x, tuning[npb_ft::width]));
    count = e.z * parts;
  }
  std::int64_t counters() const { return 1 + count; }
};

template <bool generate>
const char* set_up_planes(const Problem& problem, const Planes& planes, Launch<PlanesPass>& pass) {
  with_line(problem.extents.x, points_in_planes, [&]<int n, int points>() {
    if constexpr (has_kernel(n, n)) {
      pass.kernel =
          planes.rows == n ? transform_planes<n, n, generate> : transform_planes<n / 2, n, generate>;
      pass.block = dim3(static_cast<unsigned>(planes.tile / points));
      pass.shared_bytes = planes_bytes(planes.rows, n, planes.tile);
    }
  });
  int device = 0, multiprocessors = 0, blocks = 0;
  if (const char* why_not = pass.set_up(1)) return why_not;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, pass.kernel, static_cast<int>(pass.block.x), static_cast<std::size_t>(pass.shared_bytes));
  pass.blocks = static_cast<unsigned>(
      std::min(2 * planes.count * planes.tiles, std::int64_t{multiprocessors} * std::max(blocks, 1)));
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

const char* set_up(const Call& call, State& state) {
  const Extents& e = call.problem.extents;
  if (call.tuning[together]) {
    const Planes planes(call.problem, call.tuning);
    const int points = call.tuning[points_z], columns = planes.width * planes.parts;
    const char* why_not = set_up_planes<true>(call.problem, planes, state.start_planes);
    if (!why_not) why_not = set_up_planes<false>(call.problem, planes, state.planes);
    if (why_not) return why_not;
    return planes.parts == 1 ? set_up_yz<false>(call.problem, points, e.z, columns, state.z)
                             : set_up_yz<true>(call.problem, points, e.z, columns, state.z);
  }
  const Brick brick = brick_of(call.problem, call.tuning);
  const char* why_not = set_up_x(call.problem, call.tuning, state.x);
  if (!why_not) why_not = set_up_yz(call.problem, call.tuning[points_y], e.y, brick.width, state.y);
  return why_not ? why_not
                 : set_up_yz(call.problem, call.tuning[points_z], e.z, brick.width * brick.height, state.z);
}

// The passes of one field, with what they have in common.
struct Program {
  const Call& call;
  const State& state;
  const Extents& e;
  const Brick brick;
  const Planes flat;
  cudaStream_t stream;

  explicit Program(const Call& call_)
      : call(call_),
        state(*static_cast<const State*>(call_.state)),
        e(call_.problem.extents),
        brick(brick_of(call_.problem, call_.tuning)),
        flat(call_.problem, call_.tuning),
        stream(stream_of(call_)) {}

  template <typename Pass>
  void run(const Launch<Pass>& how, const Pass& pass) const {
    how.kernel<<<how.blocks, how.block, static_cast<std::size_t>(how.shared_bytes), stream>>>(pass);
  }

  std::int64_t layer() const { return e.x * e.y * brick.depth; }           // of bricks; elements
  std::int64_t pillar() const { return e.y * brick.width * brick.depth; }  // of bricks along y
  int bricks_plane() const { return brick.width * brick.height; }

  void along_x(const Pair* from, Pair* to, bool to_bricks, Pair* captured) const {
    call.phase("fft_x");
    const int log_width = log2_of(brick.width), log_depth = log2_of(brick.depth);
    const Bricks natural = {brick.width, e.x, e.x * e.y, 0, 0, log_width, 0, 0};
    const Bricks bricks = {pillar(),  bricks_plane() * brick.depth, layer(),  brick.width, bricks_plane(),
                           log_width, log2_of(brick.height),        log_depth};
    run(state.x,
        {from, to, bricks, to_bricks ? bricks : natural, state.factors.data, captured, static_cast<int>(e.y),
         static_cast<int>(e.z), log2_of(lines_of(call.problem, call.tuning)), log_depth});
  }

  // Tiles are the planes of pillars.
  void along_y() const {
    call.phase("fft_y");
    YzPass pass = {};
    pass.from = pass.to = state.v;
    pass.read =
        pass.write = {bricks_plane(),       pillar(), layer(), bricks_plane() * brick.depth, brick.width, 0,
                      log2_of(brick.height)};
    pass.factors = state.factors.data + e.x;
    pass.log_first = log2_of(brick.depth), pass.log_second = log2_of(e.x / brick.width);
    pass.log_width = log2_of(brick.width);
    run(state.y, pass);
  }

  // Rows, then columns of every plane; run 0 makes the start, run t follows the pass along z of step t.
  void along_xy(std::int64_t run_, Pair* to, Pair* captured) const {
    call.phase("fft_xy");
    unsigned* const counters = state.counters.data + run_ * flat.counters();
    const std::int64_t wanted = (std::int64_t{call.tuning[ahead]} << 20) / 16 / flat.tile;
    PlanesPass pass = {};
    pass.data = state.v, pass.to = to;
    pass.to_plane = e.x * e.y, pass.to_part = e.x * flat.rows, pass.to_row = e.x;
    if (to != state.v) pass.to_part = e.x, pass.to_row = e.x * flat.parts;  // the natural order
    pass.factors_x = state.factors.data, pass.factors_y = state.factors.data + e.x;
    pass.drawn = counters, pass.finished = counters + 1;
    pass.log_tile = log2_of(flat.tile), pass.log_parts = log2_of(flat.parts);
    pass.planes = static_cast<int>(flat.count);
    pass.lag = static_cast<int>(std::min(flat.count * flat.tiles, flat.tiles + wanted));
    pass.ny = static_cast<int>(e.y), pass.nz = static_cast<int>(e.z);
    pass.captured = captured;
    run(run_ == 0 ? state.start_planes : state.planes, pass);
  }

  // A tile goes through all planes, and has its elements side by side in U.
  YzPass across() const {
    call.phase("fft_z");
    YzPass pass = {};
    const int width = flat.width, columns = width * flat.parts;
    const std::int64_t tile = e.z * columns;
    pass.read = {tile, e.x / width * tile, 0, columns, 0, width, 0};
    pass.write = {width, e.x, 0, e.x * e.y, 0, static_cast<int>(e.x) * flat.rows, 0};
    pass.factors = state.factors.data + e.x + flat.rows;
    pass.log_first = log2_of(e.x / width), pass.log_second = log2_of(flat.rows);
    pass.log_width = log2_of(width);
    pass.x = {width, 0, 0}, pass.y = {0, 1, static_cast<int>(e.y / 2)};
    return pass;
  }

  // A tile goes through one brick of every layer of v, and has its elements side by side in U.
  YzPass along_z() const {
    if (call.tuning[together]) return across();
    call.phase("fft_z");
    YzPass pass = {};
    const std::int64_t tile = e.z * bricks_plane();
    pass.read = {tile, e.y / brick.height * tile, 0, bricks_plane(), 0, brick.width, 0};
    pass.write = {bricks_plane() * brick.depth, pillar(), 0, layer(), bricks_plane(), brick.width,
                  log2_of(brick.depth)};
    pass.factors = state.factors.data + e.x + e.y;
    pass.log_first = log2_of(e.y / brick.height), pass.log_second = log2_of(e.x / brick.width);
    pass.log_width = log2_of(brick.width);
    pass.x = {0, brick.width, 0}, pass.y = {brick.height, 0, 1};
    return pass;
  }

  void forward() const {
    if (call.tuning[together]) {
      along_xy(0, state.v, nullptr);
    } else {
      along_x(nullptr, state.v, true, nullptr);
      along_y();
    }
    YzPass pass = along_z();
    pass.from = state.v, pass.to = state.fields.u;
    std::swap(pass.read, pass.write);
    run(state.z, pass);
  }

  void step(std::int64_t t) const {
    YzPass pass = along_z();
    const double* decays = state.decay.data + (t - 1) * axis_entries(e);
    pass.from = state.fields.u, pass.to = state.v;
    pass.of_x = decays, pass.of_y = decays + e.x, pass.of_line = decays + e.x + e.y;
    run(state.z, pass);
    Pair* const captured = state.captured.data + (t - 1) * checksum_points;
    if (call.tuning[together]) return along_xy(t, state.fields.w, captured);
    along_y();
    along_x(state.v, state.fields.w, state.v == state.fields.w, captured);
  }
};

}  // namespace
}  // namespace sextant::npb_ft
