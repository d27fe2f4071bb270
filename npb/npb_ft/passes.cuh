// Variant cuda.passes: a transform takes one pass per dimension. A pass is a kernel that reads the field
// once, transforms whole lines in registers and writes the field once. All other work is fused into a pass:
//
//     forward   x: random start -> v    y: v -> v    z: v -> U
//     step      z: U * decay -> v       y: v -> v    x: v -> w, checksum points -> captured
//     end       one kernel sums the captured points of all steps
//
// Real and imaginary parts are swapped when the initial field is generated and when U is read, so that one
// direction of code does both transforms. w is v itself unless it is an output; then the last pass writes it
// in the natural order [z][y][x]. v and U have one of two layouts, which the tunable `fuse_xy` selects:
//   in_bricks.cuh   adjacent blocks of each pass access adjacent memory
//   in_planes.cuh   the passes along x and y are one kernel and communicate through the L2 cache
//
// Each pass reads and writes 16 bytes per point. In total these are (5 + 6 iterations) 16 N bytes for N
// points. With fused passes along x and y it is at best (3 + 4 iterations) 16 N bytes.
#pragma once

#include "gpu_state.cuh"
#include "lines.cuh"
#include "planes.cuh"
#include "yz_pass.cuh"

// The pass along x of fields in bricks. A thread block transforms lines that are adjacent along y in
// registers (lines.cuh). It reads them from `from`, or generates the random initial field, and writes them to
// `to` in another layout. The last pass of a step also saves the checksum points.
namespace sextant::npb_ft {

// Position of a thread's first element: element `thread` of line `line` of its thread block.
struct XPlace {
  int thread, line, y, z;
};

// Layout of a field in bricks of 2^log_width x 2^log_height x 2^log_depth elements. Bricks with one row give
// the natural order.
struct Bricks {
  std::int64_t along_x, along_y, along_z;  // distance in elements between adjacent bricks
  int row, plane;  // distance in elements between rows and between planes within a brick
  int log_width, log_height, log_depth;

  __device__ __forceinline__ std::int64_t index(const XPlace& at, int width) const {
    const auto within = [](int i, int log) { return i & ((1 << log) - 1); };
    return (at.thread >> width) * along_x + (at.y >> log_height) * along_y + (at.z >> log_depth) * along_z +
           within(at.thread, width) + within(at.y, log_height) * row + within(at.z, log_depth) * plane;
  }
};

struct XPass {
  const Pair* from;  // null: generate the random initial field, with real and imaginary parts swapped
  Pair* to;
  Bricks read, write;
  const Pair* factors;
  Pair* captured;  // saved checksum points, j = 1 to 1024; null: save none
  int ny, nz;
  // Log2 of the lines per thread block; log2 of the planes between which adjacent blocks alternate.
  int log_lines, log_depth;
  int first_z = 0;  // first plane, if the field is only a range of planes; nz counts all planes
};

// Saves this thread's elements that are checksum points: j with 3j = y (mod ny) and 5j = z (mod nz). The
// constants are the inverses of 3 and 5 modulo 2^32, and thus modulo any smaller power of two. mine[e * step]
// must be element thread + e * threads.
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

// Returns the elements of shared memory per line of transform_x. Padding between lines avoids bank conflicts
// when threads hold 2^log_width adjacent elements of several lines.
constexpr int x_line_elements(int n, int points, int log_width) {
  return exchange_elements(n, points) + (1 << log_width);
}

// Returns the position of a thread's first element. Adjacent threads hold 2^log_width adjacent elements of a
// line, then those of the next line. Adjacent thread blocks process adjacent planes of a brick, then the next
// lines along y, then the next layer of bricks along z.
__device__ __forceinline__ XPlace x_place(const XPass& pass, int flat, int width) {
  const int lines = 1 << pass.log_lines, line = flat >> width & (lines - 1);
  const int thread = (flat & ((1 << width) - 1)) | flat >> (width + pass.log_lines) << width;
  const int block = static_cast<int>(blockIdx.x), blocks_y = pass.ny >> pass.log_lines;
  const int y = (block >> pass.log_depth & (blocks_y - 1)) * lines + line;
  const int z =
      ((block >> pass.log_depth) / blocks_y << pass.log_depth) + (block & ((1 << pass.log_depth) - 1));
  return {thread, line, y, z};
}

// Transforms lines along x. A thread block has as many threads as its lines have in total. Dynamic shared
// memory must hold x_line_elements of type Element per line.
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
  int points_x = 16, points_y = 16, points_z = 32;  // elements of a line per thread
  // Size of a brick in elements. In the layout in planes, `width` is the width of a tile along z.
  int width = 8, height = 2, depth = 2;
  int threads_x = 128;        // threads per block along x
  int fuse_xy = 0;            // 1: use the layout of planes instead of bricks
  int plane_slices = 1;       // parts into which a plane is split
  int tile = 2048;            // elements in a tile of rows or columns of a plane
  int column_lag_mib = 16;    // MiB of rows that are finished before the columns of their plane start
  int paired_exchange_x = 0;  // 1: exchange real and imaginary parts together along x
};

// Sets the tunings that were fastest on an H200. Planes or half planes of up to 2 MiB fuse the passes along x
// and y. Other sizes use bricks: 512 bytes for lines of at most 512 elements, less for longer lines. Long
// lines along x exchange real and imaginary parts together, which saves barriers.
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

// Maximum elements per thread block. A multiprocessor has 65536 registers (CUDA C++ Programming Guide,
// technical specifications), and each element needs eight.
constexpr int most_elements = 8192;

// Launch parameters of a pass.
template <typename Pass>
struct Launch {
  void (*kernel)(Pass) = nullptr;
  dim3 block;
  int shared_bytes = 0;
  unsigned blocks = 0;

  // Allows the kernel to use more than 48 KiB of shared memory.
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
  Pair* v = nullptr;  // w itself if w need not be in the natural order
  DeviceMemory<double> decay;
  Launch<XPass> x;
  Launch<YzPass> y, z;
  Launch<PlanesPass> start_planes, planes;
  DeviceMemory<unsigned> counters;  // for the layout in planes, see counter_bytes
};

// Fills the twiddle factors for x, y and z. Each table has the order in which its transform reads it.
__global__ static void fill_factors(Extents e, int along_x, int along_y, int along_z, Pair* factors) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= e.x + e.y + e.z) return;
  const AxisIndex at = axis_index(e, index);
  const int n = static_cast<int>(at.n), points = at.axis == 0 ? along_x : at.axis == 1 ? along_y : along_z;
  factors[index] = factor_at(static_cast<int>(at.i), n, min(n, points));
}

// Sets up the pass along y or z with `columns` lines per thread block. `joined` is supported only along z,
// with 32 points per thread, or n for shorter lines.
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

// The operations that are the same for the layouts in bricks and in planes.
struct Passes {
  const Call& call;
  const Tuning tuning;
  const State& state;
  const Extents& e;
  const cudaStream_t stream;
  int first_z = 0;  // first plane, if the problem is only a range of planes of the field
  int all_z;        // number of planes of the whole field

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

  // Fills the twiddle factors for these line lengths. along_x and along_y are the points per thread.
  void make_factors(const Extents& lengths, int along_x, int along_y) const {
    fill_factors<<<blocks_for(axis_entries(lengths), 256), 256, 0, stream>>>(
        lengths, along_x, along_y, tuning.points_z, state.factors.data);
  }

  // Perform the passes along z: forward from v to U; inverse, for step t, from U times the decay factors to
  // v. `pass` must have the layouts of the inverse pass.
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
