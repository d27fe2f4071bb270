// Variant cuda.lines: one thread per line of the grid. Each thread computes 5 x 5 blocks from the flow state
// and keeps them in registers. Back substitution either reads the eliminated blocks from memory or computes
// them again, segment by segment.
#include "lines.cuh"
#include "problem.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

// Solves lines along y and z, one per thread, and recomputes eliminated blocks instead of storing them. A
// line is divided into segments of K points. The forward pass stores only the values at the start of each
// segment. The backward pass eliminates a segment again and keeps its blocks in shared memory. This moves 25
// + 60 / K doubles per point and axis instead of 75, but doubles the elimination.
namespace sextant::npb_bt {

// Threads per warp, and doubles of an eliminated row that back substitution needs.
inline constexpr int warp = 32, left_doubles = block_doubles + components;

// Assigns lines to warps. Lines that are adjacent along x go to adjacent threads. Each row of them starts
// with a new warp, so that a warp reads whole memory sectors.
struct LinesOfWarps {
  int inner, warps;  // interior points per axis; warps per row
  SEXTANT_FLOW explicit LinesOfWarps(std::int64_t n)
      : inner(static_cast<int>(n) - 2), warps((inner + warp - 1) / warp) {}
  // Returns the grid of thread blocks: x is the warp within a row of lines, y is the row.
  dim3 grid() const { return dim3(static_cast<unsigned>(warps), static_cast<unsigned>(inner)); }
  SEXTANT_FLOW std::int64_t columns() const { return std::int64_t{warp} * warps * inner; }
  // Returns the scratch memory in doubles for segments of `rows` points.
  std::int64_t scratch(int rows) const { return left_doubles * columns() * ((inner + rows - 1) / rows); }
};

// Shared memory of a warp. `of_row` holds the eliminated rows of a segment except the last one, which is in
// registers. `states` holds the flow states at the first points of two segments, because substitution along
// the last axis overwrites them in global memory.
template <int K>
struct Kept {
  double of_row[K - 1][left_doubles][warp], states[2][6][warp];

  __device__ void put_state(int segment, int lane, const Point<double>& s) {
    double(&to)[6][warp] = states[segment % 2];
    to[0][lane] = s.inverse, to[1][lane] = s.v[0], to[2][lane] = s.v[1], to[3][lane] = s.v[2];
    to[4][lane] = s.kappa, to[5][lane] = s.e;
  }
  __device__ Point<double> state(int segment, int lane) const {
    const double(&from)[6][warp] = states[segment % 2];
    return {from[0][lane], {from[1][lane], from[2][lane], from[3][lane]}, from[4][lane], from[5][lane]};
  }
};

// Calls body(index, value) for each double that substitution needs of a row: its block and right-hand side.
template <typename Body>
__device__ __forceinline__ void each_left(Carried<double>& carried, const Body& body) {
#pragma unroll
  for (int row = 0; row < components; ++row)
#pragma unroll
    for (int column = 0; column < components; ++column)
      body(components * row + column, carried.above[row][column]);
#pragma unroll
  for (int m = 0; m < components; ++m) body(block_doubles + m, carried.right[m]);
}

// Solves one line. Calls access.begin_forward or access.begin_back before it uses the points of a segment.
// The first and last row need no special case, because `carried` and `after` start as zeros.
template <int axis, int K, typename Access>
__device__ __forceinline__ void solve_in_segments(const Line& line, const Scratch& scratch, Kept<K>& kept,
                                                  const Access& access) {
  const int lane = static_cast<int>(threadIdx.x) % warp, rows = static_cast<int>(line.n) - 2,
            last = (rows - 1) / K;
  Carried<double> carried = {};
  const auto eliminate = [&](int p, const Point<double>& next) {
    double right[components];
    access.get(p, right);
    eliminate_row<axis>(line, false, false, next, right, carried);
  };
#pragma unroll 1
  for (int segment = 0; segment < last; ++segment) {
    const int first = 1 + segment * K;
    access.begin_forward(first);
    if (segment == 0) carried.here = access.state(1);
    double* const left = scratch.data + segment * scratch.step;
    each_left(carried, [&](int e, double value) { left[e * scratch.size] = value; });
#pragma unroll 1
    for (int p = first; p < first + K; ++p) eliminate(p, access.state(p + 1));
  }
  double after[components] = {};
#pragma unroll 1
  for (int segment = last; segment >= 0; --segment) {
    const int first = 1 + segment * K, end = min(first + K, rows + 1);
    access.begin_back(first);
    if (segment < last) {
      const double* const left = scratch.data + segment * scratch.step;
      each_left(carried, [&](int e, double& value) { value = left[e * scratch.size]; });
      if (segment > 0)
        each_left(carried, [&](int e, double&) { fetch_ahead(left - scratch.step + e * scratch.size); });
    }
    carried.before = access.state(first - 1);
    carried.here = access.state(first);
    kept.put_state(segment, lane, carried.here);
#pragma unroll 1
    for (int p = first;; ++p) {
      const bool ends = p + 1 == end;
      eliminate(p, ends && segment < last ? kept.state(segment + 1, lane) : access.state(p + 1));
      if (ends) break;
      each_left(carried, [&](int e, double value) { kept.of_row[p - first][e][lane] = value; });
    }
#pragma unroll 1
    for (int p = end - 1;;) {
      substitute<double>(carried.above, after, carried.right);
#pragma unroll
      for (int m = 0; m < components; ++m) after[m] = carried.right[m];
      access.put(p, after);
      if (--p < first) break;
      each_left(carried, [&](int e, double& value) { value = kept.of_row[p - first][e][lane]; });
    }
  }
}

// Accesses a line in place; adjacent lines are adjacent along x. Prefetches the next segment into the cache.
template <int axis, int K>
struct Strided {
  std::int64_t size, at, step;  // distance between components; offset of point 0; distance between points
  int n;
  double *u, *b;
  __device__ Point<double> state(int p) const { return stored_point(u, size, at + p * step); }
  __device__ void get(int p, double (&right)[components]) const {
#pragma unroll
    for (int m = 0; m < components; ++m) right[m] = b[m * size + at + p * step];
  }
  __device__ void put(int p, const double (&x)[components]) const {
#pragma unroll
    for (int m = 0; m < components; ++m) {
      if (axis == 2)
        u[m * size + at + p * step] += x[m];
      else
        b[m * size + at + p * step] = x[m];
    }
  }
  __device__ void fetch(int first, int end) const {
#pragma unroll 1
    for (int p = max(first, 1); p < min(end, n - 1); ++p)
#pragma unroll
      for (int m = 0; m < components; ++m) {
        fetch_ahead(u + m * size + at + p * step);
        fetch_ahead(b + m * size + at + p * step);
      }
  }
  __device__ void begin_forward(int first) const { fetch(first + K, first + 2 * K); }
  __device__ void begin_back(int first) const { fetch(first - K, first); }
};

// Solves lines along `axis`, 1 or 2, with one warp per thread block; LinesOfWarps::grid returns the grid.
template <int axis, int K>
__global__ void __launch_bounds__(warp, 8)
    solve_segments(Grid g, Line line, double* __restrict__ scratch, double* u, double* b) {
  extern __shared__ double shared[];
  auto& kept = *reinterpret_cast<Kept<K>*>(shared);
  const LinesOfWarps lines(g.n);
  const int near = warp * static_cast<int>(blockIdx.x) + static_cast<int>(threadIdx.x),
            other = static_cast<int>(blockIdx.y);
  if (near >= lines.inner) return;
  const std::int64_t column = std::int64_t{warp} * lines.warps * other + near;
  const std::int64_t at = axis == 1 ? g.at(near + 1, 0, other + 1) : g.at(near + 1, other + 1, 0);
  const Strided<axis, K> access = {g.size(), at, g.step<axis>(), static_cast<int>(g.n), u, b};
  solve_in_segments<axis>(
      line, Scratch{scratch + column, lines.columns() * ((lines.inner + K - 1) / K), lines.columns()}, kept,
      access);
}

}  // namespace sextant::npb_bt

namespace sextant {
namespace {

using namespace npb_bt;

using Resident = Choices<3, 4, 5>;
using Segments = Choices<2, 4, 8>;

// Tunables. shared_memory_x: 1 reads lines along x through shared memory. segment: points per segment along y
// and z; 0 stores the eliminated blocks instead. blocks_per_multiprocessor: thread blocks of the residual's
// kernel that should be resident.
struct Shape {
  int block_size = 32, shared_memory_x = 1, segment = 4, blocks_per_multiprocessor = 4;
};

struct State {
  DeviceFlow flow;
  DeviceDoubles scratch;
};

// Lines along x are contiguous, so the threads of a warp, one line each, would access distant addresses.
// Instead the warp copies eight points (64 bytes) of each of its 32 lines at a time through shared memory.
constexpr int tile = 8;
struct Tile {
  double u[components][warp][tile + 1], b[components][warp][tile + 1];
};

struct InTiles {
  Grid g;
  double *u, *b;
  Tile* cells;
  std::int64_t first;  // index of the line that lane 0 solves

  __device__ static int lane() { return static_cast<int>(threadIdx.x) % warp; }
  // Calls body(row, column, index) for point from + column of line first + row, over all rows and columns of
  // a tile. Skips points that do not exist. The lanes of the warp divide the work.
  template <typename Body>
  __device__ void each(std::int64_t from, std::int64_t end, const Body& body) const {
    const std::int64_t inner = g.n - 2;
    const int column = lane() % tile;
#pragma unroll
    for (int step = 0; step < warp; step += warp / tile) {
      const int row = step + lane() / tile;
      const std::int64_t number = first + row;
      if (number < inner * inner && from + column < end)
        body(row, column, g.at(from + column, number % inner + 1, number / inner + 1));
    }
  }
  __device__ Point<double> state(std::int64_t p) const {
    if (p == 1) {
      const std::int64_t inner = g.n - 2,
                         number = first + lane() < inner * inner ? first + lane() : inner * inner - 1;
      return stored_point(u, g.size(), g.at(1, number % inner + 1, number / inner + 1));
    }
    const int place = static_cast<int>((p - 2) % tile);
    double w[components];
#pragma unroll
    for (int m = 0; m < components; ++m) w[m] = cells->u[m][lane()][place];
    return point_of<double>(w);
  }
  __device__ void get(std::int64_t p, double (&right)[components]) const {
#pragma unroll
    for (int m = 0; m < components; ++m) right[m] = cells->b[m][lane()][(p - 1) % tile];
  }
  __device__ void put(std::int64_t p, const double (&x)[components]) const {
#pragma unroll
    for (int m = 0; m < components; ++m) cells->b[m][lane()][(p - 1) % tile] = x[m];
  }
  __device__ void begin_forward(std::int64_t p) const {
    if ((p - 1) % tile != 0) return;
    __syncwarp();
    const std::int64_t size = g.size();
    each(p + 1, g.n, [&](int row, int column, std::int64_t at) {
#pragma unroll
      for (int m = 0; m < components; ++m) cells->u[m][row][column] = u[m * size + at];
    });
    each(p, g.n - 1, [&](int row, int column, std::int64_t at) {
#pragma unroll
      for (int m = 0; m < components; ++m) cells->b[m][row][column] = b[m * size + at];
    });
    __syncwarp();
  }
  __device__ void begin_back(std::int64_t p) const {  // must be called after point p is stored
    if ((p - 1) % tile != 0) return;
    __syncwarp();
    const std::int64_t size = g.size();
    each(p, g.n - 1, [&](int row, int column, std::int64_t at) {
#pragma unroll
      for (int m = 0; m < components; ++m) b[m * size + at] = cells->b[m][row][column];
    });
    __syncwarp();
  }
};

// Solves lines along x. All lanes of a warp must participate, because each lane loads points of other lanes'
// lines. Lanes without a line solve the last line.
__global__ void __launch_bounds__(warp, 1)
    solve_lines_along_x(Grid g, Line line, double* __restrict__ scratch, double* u, double* b) {
  __shared__ Tile cells;
  const std::int64_t inner = g.n - 2, lines = inner * inner, first = std::int64_t{warp} * blockIdx.x;
  const std::int64_t own = first + threadIdx.x;
  const InTiles tiles = {g, u, b, &cells, first};
  // Lanes without a line of their own write to separate columns of the scratch memory.
  const std::int64_t columns = (lines + warp - 1) / warp * warp;
  for (int i = static_cast<int>(threadIdx.x); i < components * warp * (tile + 1); i += warp)
    (&cells.u[0][0][0])[i] = (&cells.b[0][0][0])[i] = 1.0;
  __syncwarp();
  solve_stored<0>(line, Scratch{scratch + own - columns, columns * inner, columns}, tiles);
}

template <int axis>
__global__ void __launch_bounds__(256, 1) solve_lines(Grid g, Line line, double* __restrict__ scratch,
                                                      double* __restrict__ u, double* __restrict__ b) {
  const LineOfThread mine(g, axis);
  if (!mine.is_one) return;
  const std::int64_t inner = g.n - 2, lines = inner * inner;
  solve_stored<axis>(line, Scratch{scratch + mine.number - lines, lines * inner, lines},
                     InMemory<axis>{g.size(), mine.at, mine.step, u, b});
}

template <int axis>
void solve(const Call& call, const State& state, const Line& line) {
  const Grid& g = state.flow.grid;
  const std::int64_t lines = (g.n - 2) * (g.n - 2);
  const auto shape = call.tuned<Shape>();
  const cudaStream_t stream = stream_of(call);
  double *const scratch = state.scratch.data, *const u = state.flow.u.data, *const b = state.flow.b.data;
  if (axis == 0 ? shape.shared_memory_x == 0 : shape.segment == 0)
    solve_lines<axis>
        <<<blocks_for(lines, shape.block_size), static_cast<unsigned>(shape.block_size), 0, stream>>>(
            g, line, scratch, u, b);
  else if constexpr (axis == 0)
    solve_lines_along_x<<<blocks_for(lines, warp), warp, 0, stream>>>(g, line, scratch, u, b);
  else
    Segments::with(shape.segment, [&]<int K>() {
      solve_segments<axis, K>
          <<<LinesOfWarps(g.n).grid(), warp, sizeof(Kept<K>), stream>>>(g, line, scratch, u, b);
    });
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const DeviceFlow& flow = state.flow;
  const Grid& g = flow.grid;
  const auto shape = call.tuned<Shape>();
  const cudaStream_t stream = stream_of(call);
  const double dt = time_step(call.problem);
  const Line line(g.n, dt);
  const Cover inside(g.n - 2);
  call.phase("reset");
  flow.reset(stream);
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    call.phase("rhs");
    Resident::with(shape.blocks_per_multiprocessor, [&]<int resident>() {
      scaled_residual<128, resident>
          <<<inside.grid, inside.block, 0, stream>>>(g, dt, flow.u.data, flow.f.data, flow.b.data);
    });
    call.phase("x_solve");
    solve<0>(call, state, line);
    call.phase("y_solve");
    solve<1>(call, state, line);
    call.phase("z_solve");
    solve<2>(call, state, line);
  }
  call.phase("verify");
  flow.put_results(call, stream);
  call.phase("");
}

// Returns the scratch memory in doubles. It must hold the eliminated blocks of all lines, padded to whole
// warps, or the values at the start of each segment.
std::int64_t scratch_of(std::int64_t n, const Shape& shape) {
  const std::int64_t stored = scratch_arrays * (n - 2) * (((n - 2) * (n - 2) + warp - 1) / warp * warp);
  return shape.segment ? std::max(stored, LinesOfWarps(n).scratch(shape.segment)) : stored;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return DeviceFlow::bytes(points(problem)) + 8 * scratch_of(points(problem), shape);
}

// Sets the tunings that were fastest on an H200. Small problems have too few lines to hide the latency of
// copies through shared memory. The smallest ones also cannot hide the second elimination.
void adapt(const Problem& problem, Shape& shape) {
  if (points(problem) < 128) shape.shared_memory_x = 0;
  if (points(problem) < 48) shape.segment = 0;
}

// Lets the kernels use more dynamic shared memory than the default. Returns null, or the reason for a
// failure.
template <int K>
const char* allow_shared() {
  for (const auto kernel : {solve_segments<1, K>, solve_segments<2, K>})
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Kept<K>)) !=
        cudaSuccess) {
      cudaGetLastError();
      return "the GPU has too little shared memory per block for this segment";
    }
  return nullptr;
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t n = points(call.problem);
  const auto shape = call.tuned<Shape>();
  const char* why_not = nullptr;
  if (shape.segment) Segments::with(shape.segment, [&]<int K>() { why_not = allow_shared<K>(); });
  if (why_not) return why_not;
  auto made = std::make_unique<State>();
  if ((why_not = made->flow.make(n, stream_of(call)))) return why_not;
  if (!made->scratch.allocate(scratch_of(n, shape))) return "device memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_bt_cuda_lines() {
  return {{.name = "lines",
           .description =
               "one thread per line, 5x5 blocks in registers; eliminated blocks are stored or recomputed",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>(
               {{"block_size", &Shape::block_size, {32, 64, 128, 256}},
                {"shared_memory_x", &Shape::shared_memory_x, {0, 1}},
                {"segment", &Shape::segment, {0, 2, 4, 8}},
                {"blocks_per_multiprocessor", &Shape::blocks_per_multiprocessor, Resident::list()}}),
           .launch = {.float64 = launch},
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
