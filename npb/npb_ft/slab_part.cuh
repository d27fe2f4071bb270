// The part of a field that one of several GPUs has: whole planes for the passes along x and y, and some of
// the lines along z. The pass along z (TurnPass) moves data between the GPUs.
#pragma once

#include "in_bricks.cuh"
#include "in_planes.cuh"
#include "suite/tunables.hpp"
#include "toolbox/cuda/peers.cuh"
#include "yz_pass.cuh"

// The pass along z of a field that is divided among GPUs. A GPU has whole planes of v, and whole lines along
// z of some tiles of U. This pass is therefore also the transposition: it reads its lines from the planes of
// all GPUs, or writes them there.
namespace sextant::npb_ft {

struct TurnPass {
  YzPass pass;             // layouts of all tiles; the address in U is relative to tile 0
  peers::Of<Pair> planes;  // planes of each GPU
  int log_parts;           // log2 of the number of GPUs, which must not exceed the elements per thread
  int first_tile, tiles;   // tiles of this GPU
  // The inverse pass stores only elements e of a thread with (e & half_bit) == half: one half of each GPU's
  // planes, or all of them if half_bit is 0.
  int half_bit = 0, half = 0;
};

// Transforms one tile: from planes to U if `forward`, else from U times the decay factors to planes. A
// thread's elements are `threads` apart along z, so points / parts consecutive ones are in the same GPU's
// planes. `joined` has the same meaning as in transform_yz.
template <int n, int points, bool forward, bool joined>
__device__ __forceinline__ void turn_tile(const TurnPass& turning, int tile, unsigned char* shared) {
  constexpr int threads = n / points;
  const YzPass& pass = turning.pass;
  const YzPlace at = yz_place(pass, tile + turning.first_tile);
  const int columns = static_cast<int>(blockDim.x);
  const Exchange<points> exchange{reinterpret_cast<double*>(shared) + threadIdx.x, columns};
  const Tiles& order = forward ? pass.read : pass.write;
  const std::int64_t first = order.index(at), step = order.step(threads);
  int log_each = log2_of(points) - turning.log_parts;
  if constexpr (forward)
    asm volatile("" : "+r"(log_each));  // stops the compiler from keeping addresses across tiles
  const auto in_planes = [&](int e) {
    return turning.planes[e >> log_each] + first + (e & ((1 << log_each) - 1)) * step;
  };
  double re[points], im[points];
  if constexpr (forward) {
#pragma unroll
    for (int e = 0; e < points; ++e) {
      const Pair value = *in_planes(e);
      re[e] = value.re;
      im[e] = value.im;
    }
  } else {
    load_line(pass.from + pass.read.index(at), pass.read.step(threads), re, im);
    evolve_line(pass, at, threads, re, im);
  }
  passes<n, points, 1>(at.thread, pass.factors, exchange, re, im);
  if constexpr (joined)
    join_rows(!forward, pass.y(at.first, at.second, 0), pass.y.row * 2, at.row, columns / 2, re, im);
  if constexpr (forward) {
    store_line(pass.to + pass.write.index(at), pass.write.step(threads), re, im);
  } else {
#pragma unroll
    for (int e = 0; e < points; ++e)
      if ((e & turning.half_bit) == turning.half) *in_planes(e) = {re[e], im[e]};
  }
}

template <int n, int points, bool forward, bool joined>
__global__ void __launch_bounds__(most_threads(points)) turn(const __grid_constant__ TurnPass turning) {
  extern __shared__ __align__(16) unsigned char shared[];
  const int blocks = static_cast<int>(gridDim.x);
#pragma unroll 1
  for (int tile = static_cast<int>(blockIdx.x); tile < turning.tiles; tile += blocks) {
    turn_tile<n, points, forward, joined>(turning, tile, shared);
    if (tile + blocks < turning.tiles)
      __syncthreads();  // waits until all threads have read the exchanged elements
  }
}

}  // namespace sextant::npb_ft

namespace sextant::npb_ft {

constexpr int most_points_z = 32;  // maximum elements per thread along z

struct SlabShape {
  int points_x = 16, points_y = 16;
  int width = 8, height = 2, depth = 2;
  int threads_x = 128;
  // fuse_xy: 1: passes along x and y in one kernel. plane_slices: parts into which a plane is split.
  int fuse_xy = 0, plane_slices = 1;
};

template <typename Shape>
std::vector<TunableMember<Shape>> slab_members() {
  return {
      {"points_x", &Shape::points_x, {16}},       {"points_y", &Shape::points_y, {16, 32}},
      {"width", &Shape::width, {1, 2, 4, 8, 16}}, {"height", &Shape::height, {1, 2, 4}},
      {"depth", &Shape::depth, {1, 2, 4, 8}},     {"threads_x", &Shape::threads_x, {32, 64, 128, 256, 512}},
      {"fuse_xy", &Shape::fuse_xy, {0, 1}},       {"plane_slices", &Shape::plane_slices, {1, 2}}};
}

inline Tuning tuning_of(const SlabShape& shape) {
  Tuning tuning;
  tuning.points_x = shape.points_x, tuning.points_y = shape.points_y, tuning.points_z = most_points_z;
  tuning.width = shape.width, tuning.height = shape.height, tuning.depth = shape.depth;
  tuning.threads_x = shape.threads_x;
  tuning.fuse_xy = shape.fuse_xy, tuning.plane_slices = shape.plane_slices;
  return tuning;
}

// Returns the problem of one GPU, whose extents cover its planes.
inline Problem part_of(const Problem& problem) {
  Problem part = problem;
  part.extents.z = problem.extents.z / problem.parts;
  part.parts = 1;
  return part;
}

namespace {

// The state of one GPU, and the call for the passes within its planes.
struct SlabPart {
  SlabPart() = default;
  SlabPart(const SlabPart&) = delete;
  SlabPart& operator=(const SlabPart&) = delete;

  State state;
  Tuning tuning;
  Call call;
  Launch<TurnPass> forward, inverse;
  int tiles = 0;  // number of tiles of lines along z
};

}  // namespace

// Sets up the kernels of the pass along z, with `columns` lines per thread block. Only cuda.peers.cu defines
// this function. `joined` has the same meaning as in transform_yz.
const char* set_up_turn(const Problem& whole, int columns, bool joined, Launch<TurnPass>& forward,
                        Launch<TurnPass>& inverse, int* tiles);

namespace {

const char* set_up_passes(const Problem& whole, SlabPart& part) {
  const Tuning& tuning = part.tuning;
  const Problem& own = part.call.problem;
  State& state = part.state;
  int columns = 0;
  const char* why_not = nullptr;
  if (tuning.fuse_xy) {
    columns = Planes(own, tuning).columns();
    why_not = set_up_xy(own, tuning, state.start_planes, state.planes);
  } else {
    const Brick brick = brick_of(own, tuning);
    columns = brick.width * brick.height;
    why_not = set_up_x(own, tuning, state.x);
    if (!why_not) why_not = set_up_y(own, tuning, state.y);
  }
  const bool joined = tuning.fuse_xy && tuning.plane_slices == 2;
  return why_not ? why_not : set_up_turn(whole, columns, joined, part.forward, part.inverse, &part.tiles);
}

// Allocates the state of the current GPU. Returns null, or the reason for a failure.
const char* make_slab_part(const Call& call, const SlabShape& shape, cudaStream_t stream, SlabPart& part) {
  const Problem& whole = call.problem;
  const Problem own = part_of(whole);
  const std::int64_t count = own.extents.count(), steps = iterations(whole),
                     entries = axis_entries(whole.extents);
  State& state = part.state;
  const bool apart = with_field(whole);  // otherwise w has v's layout
  if (!state.fields.u_memory.allocate(count) || !state.fields.w_memory.allocate(count) ||
      (apart && !state.v_memory.allocate(count)) || !state.factors.allocate(entries) ||
      !state.decay.allocate(steps * entries) || !state.captured.allocate(steps * checksum_points))
    return "device memory ran out";
  state.fields.u = state.fields.u_memory.data;
  state.fields.w = state.fields.w_memory.data;
  state.v = apart ? state.v_memory.data : state.fields.w;
  part.tuning = tuning_of(shape);
  const std::size_t counters = part.tuning.fuse_xy ? counter_bytes(own, part.tuning) / sizeof(unsigned) : 0;
  if (!state.counters.allocate(static_cast<std::int64_t>(counters))) return "device memory ran out";
  part.call = call;
  part.call.problem = own;
  part.call.tuning = reinterpret_cast<const int*>(&part.tuning);
  part.call.stream = stream;
  part.call.state = &state;
  part.call.on_phase = nullptr;
  return set_up_passes(whole, part);
}

// Returns the passes of GPU `number` of `parts`.
template <typename Program>
Program passes_of(const SlabPart& part, int number, int parts) {
  Program passes(part.call);
  passes.first_z = static_cast<int>(passes.e.z) * number;
  passes.all_z = static_cast<int>(passes.e.z) * parts;
  return passes;
}

// Returns the inverse transform's pass along z for one GPU, without the planes' addresses and the decay
// factors.
template <typename Program>
TurnPass turn_of(const SlabPart& part, const Program& passes, int number, int parts) {
  TurnPass turn = {};
  turn.pass = passes.along_z();
  turn.log_parts = log2_of(parts);
  turn.first_tile = part.tiles * number, turn.tiles = part.tiles;
  Pair* const first =
      part.state.fields.u - turn.first_tile * passes.tile_elements();  // the address that tile 0 would have
  turn.pass.from = turn.pass.to = first;
  return turn;
}

void set_decay_of(const SlabPart& part, std::int64_t t, const Extents& whole, TurnPass& turn) {
  const double* decays = part.state.decay.data + (t - 1) * axis_entries(whole);
  turn.pass.of_x = decays, turn.pass.of_y = decays + whole.x, turn.pass.of_line = decays + whole.x + whole.y;
}

// Fills the tables and clears the saved checksum points, before all passes.
template <typename Program>
void set_up_steps(const SlabPart& part, const Program& passes, const Extents& whole, int steps) {
  fill_decay<<<blocks_for(steps * axis_entries(whole), 256), 256, 0, passes.stream>>>(whole, steps,
                                                                                      part.state.decay.data);
  cudaMemsetAsync(part.state.captured.data, 0,
                  sizeof(Pair) * static_cast<std::size_t>(steps) * checksum_points, passes.stream);
  passes.set_up();
}

}  // namespace

constexpr const char* few_tiles =
    "fewer tiles of lines along z than partitions: choose fewer partitions, or smaller tiles";

inline const char* refuse_slabs(const Problem& problem, const SlabShape& shape) {
  const Extents& e = problem.extents;
  const int parts = problem.parts;
  if ((parts & (parts - 1)) != 0) return "the number of partitions must be a power of two";
  const std::int64_t points = std::min<std::int64_t>(e.z, most_points_z);
  if (parts > points)
    return "more partitions than elements per thread along z: choose fewer partitions, or a longer z";
  const Problem own = part_of(problem);
  const Tuning tuning = tuning_of(shape);
  if (tuning.fuse_xy) {
    if (const char* reason = refuse_planes(problem, tuning)) return reason;
    const Planes planes(own, tuning);
    return e.x * e.y / planes.columns() < parts ? few_tiles : nullptr;
  }
  const Brick brick = brick_of(own, tuning);
  if (e.x * e.y / (brick.width * brick.height) < parts) return few_tiles;
  if (e.z * brick.height * brick.width > most_elements) return "more than 8192 elements per block";
  return refuse_bricks(own, tuning);
}

// Sets the same tuning as cuda.passes uses on one GPU.
inline void fit_slabs(const Problem& problem, SlabShape& shape) {
  Tuning tuning = tuning_of(shape);
  fit(problem, tuning);
  shape.points_x = tuning.points_x, shape.points_y = tuning.points_y;
  shape.width = tuning.width, shape.height = tuning.height, shape.depth = tuning.depth;
  shape.threads_x = tuning.threads_x, shape.fuse_xy = tuning.fuse_xy,
  shape.plane_slices = tuning.plane_slices;
}

// Returns the bytes of device memory, with `more` extra fields of one GPU's size.
inline std::int64_t slabs_workspace(const Problem& problem, const SlabShape& shape, int more) {
  const std::int64_t entries = axis_entries(problem.extents), steps = iterations(problem);
  return ((with_field(problem) ? 3 : 2) + more) * field_bytes(problem) / problem.parts +
         entries * (16 + 8 * steps) + 16 * steps * (checksum_points + 1) +
         (shape.fuse_xy ? static_cast<std::int64_t>(counter_bytes(part_of(problem), tuning_of(shape))) : 0) +
         4096;
}

}  // namespace sextant::npb_ft
