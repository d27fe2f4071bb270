// cuda.passes: a transform is one pass a dimension. A pass is a kernel that reads the field once, transforms
// whole lines in registers and writes it once; everything else is part of some pass:
//
//     forward   x: random start -> v    y: v -> v    z: v -> U
//     step      z: U * decay -> v       y: v -> v    x: v -> w, the checksum's points -> captured
//     in the end one kernel adds up all steps' captured points
//
// Real and imaginary parts are exchanged as the start is made and as U is read, so that one direction of code
// does for both transforms. w is v itself unless it is an output; then the last pass leaves it in the natural
// order. v and U are laid out for the passes, in one of two ways, of which `fuse_xy` chooses:
//   in_bricks.cuh   neighbouring blocks of each pass read and write neighbouring memory
//   in_planes.cuh   the passes along x and y are one kernel and meet in the second-level cache
//
// Bytes: 16 for every point and pass, read and written: (5 + 6 iterations) 16 N. At 4.3 TB/s that is 15.6 ms
// for class B, 62.4 ms for C, 1.24 s for D. With passes together at best (3 + 4 iterations) 16 N are left.
#pragma once

#include "gpu_state.cuh"
#include "lines.cuh"
#include "planes.cuh"
#include "yz_pass.cuh"

// The pass along x of fields in bricks. A block takes lines that are neighbours along y and transforms them
// in registers (lines.cuh): it reads them from `from`, or makes the random start, and writes them to `to`,
// each in an order of its own. The last pass of a step also puts aside the points that the checksum wants.
namespace sextant::npb_ft {

// What element a thread has first: number `thread` of its line, which is number `line` of its block's.
struct XPlace {
  int thread, line, y, z;
};

// Where a pass along x finds or leaves the elements of a field that is cut into bricks of 2^log_width x
// 2^log_height x 2^log_depth. The natural order is that of bricks of one row.
struct Bricks {
  std::int64_t along_x, along_y, along_z;  // from a brick to the next
  int row, plane;                          // within a brick
  int log_width, log_height, log_depth;

  __device__ __forceinline__ std::int64_t index(const XPlace& at, int width) const {
    const auto within = [](int i, int log) { return i & ((1 << log) - 1); };
    return (at.thread >> width) * along_x + (at.y >> log_height) * along_y + (at.z >> log_depth) * along_z +
           within(at.thread, width) + within(at.y, log_height) * row + within(at.z, log_depth) * plane;
  }
};

struct XPass {
  const Pair* from;  // null: the field is not read but made: the random start, parts exchanged
  Pair* to;
  Bricks read, write;
  const Pair* factors;
  Pair* captured;  // where to put the checksum's points, j = 1 to 1024; or null
  int ny, nz;
  int log_lines, log_depth;  // lines of a block; planes that neighbouring blocks take turns in
  int first_z = 0;           // of the field's planes, where there are but some; nz: of all
};

// The elements of this thread that the checksum wants: j with 3j = y (mod ny) and 5j = z (mod nz). 3 and 5
// have inverses modulo 2^32, and so modulo any power of two. mine[e step] is element thread + e threads.
template <int n, int threads>
__device__ __forceinline__ void capture(const XPass& pass, const XPlace& at, const Pair* mine,
                                        std::int64_t step) {
  const auto y = static_cast<unsigned>(at.y), z = static_cast<unsigned>(at.z + pass.first_z);
  const unsigned ny = pass.ny, nz = pass.nz, shorter = min(ny, nz), longer = max(ny, nz);
  const unsigned by_y = y * 0xAAAAAAABu & (ny - 1), by_z = z * 0xCCCCCCCDu & (nz - 1);
  if ((by_y ^ by_z) & (shorter - 1)) return;
  unsigned j = ny > nz ? by_y : by_z;
  for (j = j == 0 ? longer : j; j <= checksum_points; j += longer)
    if (static_cast<int>(j % threads) == at.thread) pass.captured[j - 1] = mine[j % n / threads * step];
}

// Shared memory of a line of transform_x: lines are set apart so that threads which hold 2^log_width
// neighbours of several lines meet in no bank.
constexpr int x_line_elements(int n, int points, int log_width) {
  return exchange_elements(n, points) + (1 << log_width);
}

// Neighbouring threads hold elements as they lie in a brick: 2^log_width of a line, then those of the next
// line. Blocks take turns in the planes of a brick, then go on along y, then along z.
__device__ __forceinline__ XPlace x_place(const XPass& pass, int flat, int width) {
  const int lines = 1 << pass.log_lines, line = flat >> width & (lines - 1);
  const int thread = (flat & ((1 << width) - 1)) | flat >> (width + pass.log_lines) << width;
  const int block = static_cast<int>(blockIdx.x), blocks_y = pass.ny >> pass.log_lines;
  const int y = (block >> pass.log_depth & (blocks_y - 1)) * lines + line;
  const int z =
      ((block >> pass.log_depth) / blocks_y << pass.log_depth) + (block & ((1 << pass.log_depth) - 1));
  return {thread, line, y, z};
}

// Block: threads of a line times lines. Dynamic shared memory: x_line_elements of Element a line.
template <int n, int points, typename Element>
__global__ void __launch_bounds__(most_threads(points)) transform_x(XPass pass) {
  extern __shared__ __align__(16) unsigned char shared[];
  constexpr int threads = n / points;
  const int flat = static_cast<int>(threadIdx.x), width = pass.write.log_width;
  const XPlace at = x_place(pass, flat, width);
  const Exchange<points, Element> exchange{
      reinterpret_cast<Element*>(shared) + at.line * x_line_elements(n, points, width), 1};
  double re[points], im[points];
  if (pass.from) {
    load_line(pass.from + pass.read.index(at, width), (threads >> width) * pass.read.along_x, re, im);
  } else {
    const auto z = static_cast<std::int64_t>(at.z + pass.first_z);
    random_line<points, threads>((z * pass.ny + at.y) * n + at.thread, re, im);
  }
  passes<n, points, 1>(at.thread, pass.factors, exchange, re, im);
  Pair* const to = pass.to + pass.write.index(at, width);
  const std::int64_t step = (threads >> width) * pass.write.along_x;
  store_line(to, step, re, im);
  if (pass.captured) capture<n, threads>(pass, at, to, step);
}

}  // namespace sextant::npb_ft

namespace sextant::npb_ft {

struct Tuning {
  int points_x = 16, points_y = 16, points_z = 32;  // elements of a line that a thread holds
  int width = 8, height = 2, depth = 2;  // of a brick, in elements; width: of a tile of planes, too
  int threads_x = 128;                   // of a block along x
  int fuse_xy = 0;                       // in planes, not in bricks
  int plane_slices = 1;                  // of a plane
  int tile = 2048;                       // elements of a tile of rows or columns of a plane
  int column_lag_mib = 16;               // MiB of rows done before a plane's columns
  int paired_exchange_x = 0;             // exchange both parts at once along x
};

// What won on an H200. Planes of at most 2 MiB, or halves of such, are transformed together. Else bricks: of
// 512 bytes for lines of 512 and less; smaller ones for longer lines, as two blocks along y should fit a
// multiprocessor and one along z must. Two long lines along x are exchanged in whole, which spares barriers.
inline void fit(const Problem& problem, Tuning& tuning) {
  const Extents& e = problem.extents;
  const std::int64_t plane = e.x * e.y;
  const int halves = plane > 1 << 17 ? 2 : 1;
  if (plane <= 1 << 18 && e.z <= 512 && has_kernel(e.y / halves, e.x)) {
    tuning.fuse_xy = 1;
    tuning.plane_slices = halves;
    tuning.width = halves == 2 ? 4 : 16;
    return;
  }
  if (std::max(e.y, e.z) > 512) tuning.width = 4;
  if (std::max(e.y, e.z) > 2048) tuning.width = 2;
  if (e.z > 1024) tuning.height = 1;
  if (e.x > 1024) tuning.threads_x = 256, tuning.paired_exchange_x = 1;
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

// Lines along y or z, `columns` of them a block. joined: along z alone, where a thread holds 32 points if a
// line has them.
template <bool joined = false>
const char* set_up_yz(const Problem& problem, int points_wanted, std::int64_t length, int columns,
                      Launch<YzPass>& pass) {
  with_line(length, points_wanted, [&]<int n, int points>() {
    if constexpr (!joined || points == std::min(n, 32)) pass.kernel = transform_yz<n, points, joined>;
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
