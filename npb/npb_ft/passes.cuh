// cuda.passes: a transform is one pass a dimension. A pass is a kernel that reads the field once, transforms
// whole lines in registers and writes it once; everything else is part of some pass:
//
//     forward   x: random start -> v    y: v -> v    z: v -> U
//     step      z: U * decay -> v       y: v -> v    x: v -> w, the checksum's points -> captured
//     in the end one kernel adds up all steps' captured points
//
// Real and imaginary parts are exchanged as the start is made and as U is read, so that one direction of code
// does for both transforms. w is v itself unless it is an output; then the last pass leaves it in the natural
// order. v and U are laid out for the passes, in one of two ways, of which `together` chooses:
//   in_bricks.cuh   neighbouring blocks of each pass read and write neighbouring memory
//   in_planes.cuh   the passes along x and y are one kernel and meet in the second-level cache
//
// Bytes: 16 for every point and pass, read and written: (5 + 6 iterations) 16 N. At 4.3 TB/s that is 15.6 ms
// for class B, 62.4 ms for C, 1.24 s for D. With passes together at best (3 + 4 iterations) 16 N are left.
#pragma once

#include "gpu_state.cuh"
#include "planes.cuh"
#include "x_pass.cuh"
#include "yz_pass.cuh"

namespace sextant::npb_ft {

struct Tuning {
  int points_x = 16, points_y = 16, points_z = 32;  // elements of a line that a thread holds
  int width = 8, height = 2, depth = 2;  // of a brick, in elements; width: of a tile of planes, too
  int threads_x = 128;                   // of a block along x
  int together = 0;                      // in planes, not in bricks
  int parts = 1;                         // of a plane
  int tile = 2048;                       // elements of a tile of rows or columns of a plane
  int ahead = 16;                        // MiB of rows done before a plane's columns
  int pairs_x = 0;                       // exchange both parts at once along x
};

// What won on an H200. Planes of at most 2 MiB, or halves of such, are transformed together. Else bricks: of
// 512 bytes for lines of 512 and less; smaller ones for longer lines, as two blocks along y should fit a
// multiprocessor and one along z must. Two long lines along x are exchanged in whole, which spares barriers.
inline void fit(const Problem& problem, Tuning& tuning) {
  const Extents& e = problem.extents;
  const std::int64_t plane = e.x * e.y;
  const int halves = plane > 1 << 17 ? 2 : 1;
  if (plane <= 1 << 18 && e.z <= 512 && has_kernel(e.y / halves, e.x)) {
    tuning.together = 1;
    tuning.parts = halves;
    tuning.width = halves == 2 ? 4 : 16;
    return;
  }
  if (std::max(e.y, e.z) > 512) tuning.width = 4;
  if (std::max(e.y, e.z) > 2048) tuning.width = 2;
  if (e.z > 1024) tuning.height = 1;
  if (e.x > 1024) tuning.threads_x = 256, tuning.pairs_x = 1;
  if (e.y > 512) tuning.points_y = 32;
}

// Elements of a block: a multiprocessor has 65536 registers (CUDA C++ Programming Guide, technical
// specifications), eight for each element, whose value takes four.
constexpr int most_elements = 8192;

// How a pass is launched.
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

namespace {

struct State {
  GpuFields<Pair> fields;
  DeviceMemory<Pair> v_memory, factors, captured;
  Pair* v = nullptr;  // w itself, if that need not be in the natural order
  DeviceMemory<double> decay;
  Launch<XPass> x;
  Launch<YzPass> y, z;
  Launch<PlanesPass> start_planes, planes;
  DeviceMemory<unsigned> counters;  // of planes, see counter_bytes
};

// The factors of x, y and z, each as its transform wants them.
__global__ static void fill_factors(Extents e, int along_x, int along_y, int along_z, Pair* factors) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= e.x + e.y + e.z) return;
  const AxisIndex at = axis_index(e, index);
  const int n = static_cast<int>(at.n), points = at.axis == 0 ? along_x : at.axis == 1 ? along_y : along_z;
  factors[index] = factor_at(static_cast<int>(at.i), n, min(n, points));
}

// Lines along y or z, `columns` of them a block.
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

// A call's passes, with what those in bricks and those in planes have in common.
struct Passes {
  const Call& call;
  const Tuning tuning;
  const State& state;
  const Extents& e;
  const cudaStream_t stream;
  int first_z = 0;  // of the whole field's planes, where the call's problem has but some
  int all_z;        // of the whole field

  explicit Passes(const Call& call_)
      : call(call_),
        tuning(call_.tuned<Tuning>()),
        state(*static_cast<const State*>(call_.state)),
        e(call_.problem.extents),
        stream(stream_of(call_)),
        all_z(static_cast<int>(e.z)) {}

  template <typename Pass>
  void run(const Launch<Pass>& how, const Pass& pass) const {
    how.kernel<<<how.blocks, how.block, static_cast<std::size_t>(how.shared_bytes), stream>>>(pass);
  }

  // The factors for these lengths, as passes along x and y of so many points a thread want them.
  void make_factors(const Extents& lengths, int along_x, int along_y) const {
    fill_factors<<<blocks_for(axis_entries(lengths), 256), 256, 0, stream>>>(
        lengths, along_x, along_y, tuning.points_z, state.factors.data);
  }

  // The forward transform's pass along z, from v to U, and the inverse one's in step t, from U to v with the
  // decay; `pass` has the inverse one's orders.
  void forward_z(YzPass pass) const {
    pass.from = state.v, pass.to = state.fields.u;
    std::swap(pass.read, pass.write);
    run(state.z, pass);
  }
  void inverse_z(YzPass pass, std::int64_t t) const {
    const double* decays = state.decay.data + (t - 1) * axis_entries(e);
    pass.from = state.fields.u, pass.to = state.v;
    pass.of_x = decays, pass.of_y = decays + e.x, pass.of_line = decays + e.x + e.y;
    run(state.z, pass);
  }

  Pair* captured(std::int64_t t) const { return state.captured.data + (t - 1) * checksum_points; }
};

}  // namespace
}  // namespace sextant::npb_ft
