// Variant cuda.sweeps: the finest and the other large grids take two fused sweeps per V-cycle (sweeps.cuh);
// small grids have other kernels. All launches of the cycles form one CUDA graph.
//
// Memory traffic per point of the finest grid and cycle is 42 bytes. The downward sweep reads u and v and
// writes an eighth of r; the upward sweep reads u, v and an eighth of z and writes u. The coarser grids add
// 3.7 bytes.
#include <algorithm>
#include <memory>

#include "charges.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "sweeps.cuh"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/memory.cuh"
#include "toolbox/cuda/vector.cuh"

// Kernels for small grids, where launches cost more than memory accesses: a restriction with one thread per
// point, an upward sweep in cubes of 8^3 points, and one thread block for all grids up to a given side.
namespace sextant::npb_mg {

// Returns the weighted sum over 27 points (stencil); a weight depends on the distance. at(dz, dy, dx) must
// return the value at this offset.
template <typename At>
__device__ __forceinline__ double around(double centre, double face, double edge, double corner,
                                         const At& at) {
  double faces = 0, edges = 0, corners = 0;
#pragma unroll
  for (int dz = -1; dz <= 1; ++dz)
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
      for (int dx = -1; dx <= 1; ++dx) {
        const int distance = dx * dx + dy * dy + dz * dz;
        if (distance == 1 && face != 0) faces += at(dz, dy, dx);
        if (distance == 2) edges += at(dz, dy, dx);
        if (distance == 3 && corner != 0) corners += at(dz, dy, dx);
      }
  return centre * at(0, 0, 0) + face * faces + edge * edges + corner * corners;
}

template <typename At>
__device__ __forceinline__ double restricted_at(const At& at) {
  return around(0.5, 0.25, 0.125, 0.0625, at);
}
template <typename At>
__device__ __forceinline__ double a_at(const At& at) {
  return around(a_centre, 0, a_edge, a_corner, at);
}
template <typename At>
__device__ __forceinline__ double smoothed_at(const Smoother& s, const At& at) {
  double faces = 0, edges = 0;
#pragma unroll
  for (int dz = -1; dz <= 1; ++dz)
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
      for (int dx = -1; dx <= 1; ++dx) {
        const int distance = dx * dx + dy * dy + dz * dz;
        if (distance == 1) faces += at(dz, dy, dx);
        if (distance == 2) edges += at(dz, dy, dx);
      }
  return s.centre * at(0, 0, 0) + s.face * faces + s.edge * edges;
}

// Restricts `fine`, of side 2^bits, to `coarse`, of side 2^(bits - 1).
__global__ static void __launch_bounds__(256)
    restrict_level(Grid grid, const double* __restrict__ fine, double* __restrict__ coarse) {
  const int bits = grid.bits - 1, i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= 1 << 3 * bits) return;
  const int x = 2 * (i & ((1 << bits) - 1)) + 1, y = 2 * (i >> bits & ((1 << bits) - 1)) + 1,
            z = 2 * (i >> 2 * bits) + 1;
  coarse[i] = restricted_at(
      [&](int dz, int dy, int dx) { return fine[grid.row(z + dz, y + dy) + grid.wrapped(x + dx)]; });
}

// Performs the upward sweep on a grid of at least 8^3 points, starting from zero: u = Q z, r = v - A u, to =
// u + S r. Each thread block processes one cube of 8^3 points.
__global__ static void __launch_bounds__(256)
    up_by_cubes(Grid grid, Smoother smoother, const double* __restrict__ z, const double* __restrict__ v,
                double* __restrict__ to) {
  constexpr int side = 8, side_u = side + 4, side_r = side + 2, side_z = side_u / 2 + 1;
  __shared__ double coarse[side_z * side_z * side_z], u[side_u * side_u * side_u],
      r[side_r * side_r * side_r];
  const Grid coarse_grid{grid.bits - 1};
  const int x0 = static_cast<int>(blockIdx.x) * side, y0 = static_cast<int>(blockIdx.y) * side,
            z0 = static_cast<int>(blockIdx.z) * side;
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (int i = thread; i < side_z * side_z * side_z; i += threads) {
    const int a = i % side_z, b = i / side_z % side_z, c = i / (side_z * side_z);
    coarse[i] = z[coarse_grid.row(z0 / 2 - 2 + c, y0 / 2 - 2 + b) + coarse_grid.wrapped(x0 / 2 - 2 + a)];
  }
  __syncthreads();
  for (int i = thread; i < side_u * side_u * side_u; i += threads) {
    const int a = i % side_u, b = i / side_u % side_u, c = i / (side_u * side_u);
    // Indices are relative to the cube's first point. Fine point 2m is between coarse points m and m + 1;
    // fine point 2m + 1 coincides with m + 1.
    const int a0 = (a + 1) / 2, a1 = a / 2 + 1, b0 = (b + 1) / 2, b1 = b / 2 + 1, c0 = (c + 1) / 2,
              c1 = c / 2 + 1;
    const auto at = [&](int k, int j, int l) { return coarse[(k * side_z + j) * side_z + l]; };
    u[i] = 0.125 * (((at(c0, b0, a0) + at(c0, b0, a1)) + (at(c0, b1, a0) + at(c0, b1, a1))) +
                    ((at(c1, b0, a0) + at(c1, b0, a1)) + (at(c1, b1, a0) + at(c1, b1, a1))));
  }
  __syncthreads();
  for (int i = thread; i < side_r * side_r * side_r; i += threads) {
    const int a = i % side_r, b = i / side_r % side_r, c = i / (side_r * side_r);
    const double* const here = u + ((c + 1) * side_u + b + 1) * side_u + a + 1;
    r[i] = v[grid.row(z0 - 1 + c, y0 - 1 + b) + grid.wrapped(x0 - 1 + a)] -
           a_at([&](int dz, int dy, int dx) { return here[(dz * side_u + dy) * side_u + dx]; });
  }
  __syncthreads();
  for (int i = thread; i < side * side * side; i += threads) {
    const int a = i % side, b = i / side % side, c = i / (side * side);
    const double* const here = r + ((c + 1) * side_r + b + 1) * side_r + a + 1;
    to[grid.row(z0 + c, y0 + b) + x0 + a] =
        u[((c + 2) * side_u + b + 2) * side_u + a + 2] +
        smoothed_at(smoother, [&](int dz, int dy, int dx) { return here[(dz * side_r + dy) * side_r + dx]; });
  }
}

inline constexpr int alone_threads = 512;

// Returns the bytes of r and u of all grids up to side 2^bits.
constexpr std::size_t alone_bytes(int bits) {
  return 2 * static_cast<std::size_t>(coarser_points(std::int64_t{2} << bits)) * sizeof(double);
}

// Performs the whole V-cycle on the grids up to side 2^bits in one thread block. Reads r of the largest of
// these grids and writes its u.
__global__ static void __launch_bounds__(alone_threads)
    solve_alone(int bits, Smoother smoother, const double* __restrict__ r_in, double* __restrict__ u_out) {
  extern __shared__ double shared[];
  const int count = static_cast<int>(level_offset(std::int64_t{2} << bits));
  double *const r = shared, *const u = shared + count;
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const auto field = [](double* all, int b) { return all + ((1 << 3 * b) - 8) / 7; };
  const auto for_points = [&](int b, const auto& body) {
    const Grid grid{b};
    for (int i = thread; i < 1 << 3 * b; i += threads)
      body(grid, i, i & ((1 << b) - 1), i >> b & ((1 << b) - 1), i >> 2 * b);
    __syncthreads();
  };
  // Returns a function that returns the value at an offset from (x, y, z).
  const auto beside = [](const double* all, Grid grid, int x, int y, int z) {
    return [=](int dz, int dy, int dx) { return all[grid.row(z + dz, y + dy) + grid.wrapped(x + dx)]; };
  };
  for_points(bits, [&](Grid, int i, int, int, int) { field(r, bits)[i] = r_in[i]; });
  for (int b = bits - 1; b >= 1; --b)
    for_points(b, [&](Grid, int i, int x, int y, int z) {
      field(r, b)[i] = restricted_at(beside(field(r, b + 1), Grid{b + 1}, 2 * x + 1, 2 * y + 1, 2 * z + 1));
    });
  for_points(1, [&](Grid grid, int i, int x, int y, int z) {
    field(u, 1)[i] = smoothed_at(smoother, beside(field(r, 1), grid, x, y, z));
  });
  for (int b = 2; b <= bits; ++b) {
    double *const own_u = field(u, b), *const own_r = field(r, b);
    for_points(b, [&](Grid, int i, int x, int y, int z) {
      const Grid coarse{b - 1};
      const double* const from = field(u, b - 1);
      double sum = 0;
#pragma unroll
      for (int corner = 0; corner < 8; ++corner)
        sum += from[coarse.row((z - (corner >> 2)) >> 1, (y - (corner >> 1 & 1)) >> 1) +
                    coarse.wrapped((x - (corner & 1)) >> 1)];
      own_u[i] = 0.125 * sum;
    });
    for_points(
        b, [&](Grid grid, int i, int x, int y, int z) { own_r[i] -= a_at(beside(own_u, grid, x, y, z)); });
    for_points(b, [&](Grid grid, int i, int x, int y, int z) {
      own_u[i] += smoothed_at(smoother, beside(own_r, grid, x, y, z));
    });
  }
  for (int i = thread; i < 1 << 3 * bits; i += threads) u_out[i] = field(u, bits)[i];
}

}  // namespace sextant::npb_mg

namespace sextant {
namespace {

using namespace npb_mg;

using FixedBits = Choices<8, 9, 10>;  // log2 of the sides with kernels of their own: 256, 512, 1024

// Tunables. columns: columns per lane. warps: approximate number of warps per sweep if the GPU cannot hold
// all tiles of a grid at once. cubes_max_side: maximum side for upward sweeps in cubes.
// single_block_max_side: maximum side for grids in one thread block. graph: 1: all cycles are one CUDA graph.
struct Sweeps {
  int columns = 2, warps = 12672, cubes_max_side = 32, single_block_max_side = 8, graph = 1;
};

struct Exec {
  cudaGraphExec_t graph = nullptr;
  ~Exec() {
    if (graph) cudaGraphExecDestroy(graph);
  }
};

struct State {
  DeviceMemory<double> u_memory, next_memory, v_memory, coarse_u_memory, coarse_r_memory, partial_memory;
  double* u[2] = {};  // two fields that alternate (double buffering)
  Exec cycles;
};

// The thread blocks of a sweep on the grid of side 2^bits. If the GPU can hold all tiles of a plane at once,
// the planes are divided so that the blocks fill the GPU exactly once. Adjacent tiles then advance together
// and share cached data.
struct Plan {
  Cut cut;
  dim3 blocks;
  Plan(int bits, const Sweeps& tuned, bool down, int processors = multiprocessors()) {
    const int n = 1 << bits, width = tuned.columns == 2 ? Shape<Pair>::columns : Shape<double>::columns;
    const int across = (n + width - 1) / width, rows = n / tile_rows, tiles = across * rows;
    const int held =
        processors * block_warps * (tuned.columns == 2 ? resident<Pair>(down) : resident<double>(down));
    const int parts = std::clamp((tiles <= held ? held : tuned.warps) / tiles, 1, n / 4);
    const int planes = 2 * ((n / 2 + parts - 1) / parts);
    cut = {{bits}, planes};
    blocks = dim3(static_cast<unsigned>(across), blocks_for(rows, block_warps), blocks_for(n, planes));
  }
  template <typename Value>
  static constexpr int resident(bool down) {
    return down ? Shape<Value>::resident_down : Shape<Value>::resident_up;
  }
  int count() const { return static_cast<int>(blocks.x * blocks.y * blocks.z); }
};

// Calls function<Value, fixed>() with the types for a grid's side and for the columns per lane.
template <typename Function>
void with_kernels(int columns, int bits, const Function& function) {
  const auto with_fixed = [&]<typename Value>() {
    if (bits < 8)
      function.template operator()<Value, 0>();
    else
      FixedBits::with(bits, [&]<int fixed>() { function.template operator()<Value, fixed>(); });
  };
  if (columns == 2)
    with_fixed.template operator()<Pair>();
  else
    with_fixed.template operator()<double>();
}

struct Program {
  const State& state;
  const Sweeps tuned;
  const int bits;
  const Smoother smoother;
  const std::int64_t cycles;
  double *const norms, *const field_u, *const field_r;
  cudaStream_t stream;
  const int processors = multiprocessors();

  Program(const Call& call, const State& state_, cudaStream_t stream_)
      : state(state_),
        tuned(call.tuned<Sweeps>()),
        bits(log2_of(side(call.problem))),
        smoother(npb_mg::smoother(call.problem)),
        cycles(iterations(call.problem)),
        norms(call.array<double>(npb_mg::norms)),
        field_u(with_field(call.problem) ? call.array<double>(npb_mg::field_u) : nullptr),
        field_r(with_field(call.problem) ? call.array<double>(npb_mg::field_r) : nullptr),
        stream(stream_) {}

  double* coarse_u(int b) const { return state.coarse_u_memory.data + level_offset(std::int64_t{1} << b); }
  double* coarse_r(int b) const { return state.coarse_r_memory.data + level_offset(std::int64_t{1} << b); }

  template <int what>
  void down(const double* u) const {
    const Plan plan(bits, tuned, true, processors);
    with_kernels(tuned.columns, bits, [&]<typename Value, int fixed>() {
      sweep_down<Value, fixed, what><<<plan.blocks, 32 * block_warps, 0, stream>>>(
          plan.cut, u, state.v_memory.data, coarse_r(bits - 1), state.partial_memory.data, field_r);
    });
  }

  void add_up(int which) const {
    add_partials<<<1, 1024, 0, stream>>>(Plan(bits, tuned, true, processors).count(),
                                         static_cast<double>(std::int64_t{1} << 3 * bits),
                                         state.partial_memory.data, norms + which);
  }

  template <bool from_zero>
  void sweep(int b, const double* u, const double* v, double* to) const {
    const Plan plan(b, tuned, false, processors);
    with_kernels(tuned.columns, b, [&]<typename Value, int fixed>() {
      sweep_up<Value, fixed, from_zero>
          <<<plan.blocks, 32 * block_warps, 0, stream>>>(plan.cut, smoother, u, coarse_u(b - 1), v, to);
    });
  }

  int alone() const { return std::min(log2_of(tuned.single_block_max_side), bits - 1); }

  // Computes u of the level below the finest from r of that level.
  void coarser() const {
    for (int b = bits - 1; b > alone(); --b)
      restrict_level<<<blocks_for(std::int64_t{1} << 3 * (b - 1), 256), 256, 0, stream>>>(
          Grid{b}, coarse_r(b), coarse_r(b - 1));
    solve_alone<<<1, alone_threads, alone_bytes(alone()), stream>>>(alone(), smoother, coarse_r(alone()),
                                                                    coarse_u(alone()));
    for (int b = alone() + 1; b < bits; ++b)
      if (1 << b <= tuned.cubes_max_side) {
        const unsigned cubes = 1U << (b - 3);
        up_by_cubes<<<dim3(cubes, cubes, cubes), 256, 0, stream>>>(Grid{b}, smoother, coarse_u(b - 1),
                                                                   coarse_r(b), coarse_u(b));
      } else {
        sweep<true>(b, nullptr, coarse_r(b), coarse_u(b));
      }
  }

  // Sets u = 0, restricts r and computes its norm, before the first cycle.
  void begin() const {
    cudaMemsetAsync(state.u[0], 0, sizeof(double) << 3 * bits, stream);
    down<restricting | summing>(state.u[0]);
    add_up(0);
  }
  void up(std::int64_t t) const {
    sweep<false>(bits, state.u[t % 2], state.v_memory.data, state.u[(t + 1) % 2]);
  }
  void end() const {
    const double* const u = state.u[cycles % 2];
    field_r ? down<summing | storing>(u) : down<summing>(u);
    add_up(1);
    if (field_u) cudaMemcpyAsync(field_u, u, sizeof(double) << 3 * bits, cudaMemcpyDeviceToDevice, stream);
  }

  // Runs all cycles. Calls phase(name) at the start of each phase.
  template <typename Phase>
  void run_cycles(const Phase& phase) const {
    for (std::int64_t t = 0; t < cycles; ++t) {
      phase("down");
      if (t > 0) down<restricting>(state.u[t % 2]);
      phase("coarse");
      coarser();
      phase("up");
      up(t);
    }
  }
};

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const Program program(call, state, stream_of(call));
  call.phase("norm");
  program.begin();
  if (state.cycles.graph) {
    call.phase("cycles");
    cudaGraphLaunch(state.cycles.graph, program.stream);
  } else {
    program.run_cycles([&](const char* name) { call.phase(name); });
  }
  call.phase("norm");
  program.end();
  call.phase("");
}

// Allows the kernel to use more than 48 KiB of shared memory.
const char* allow_shared_memory(int finest, const Sweeps& tuned) {
  const std::size_t bytes = alone_bytes(std::min(log2_of(tuned.single_block_max_side), finest - 1));
  if (cudaFuncSetAttribute(solve_alone, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(bytes)) == cudaSuccess)
    return nullptr;
  cudaGetLastError();
  return "the GPU has too little shared memory per block for the coarse grids";
}

// Records the cycles as a CUDA graph. If that fails, launches are issued one by one.
void record_cycles(const Call& call, State* state) {
  cudaStream_t stream;
  cudaGraph_t graph = nullptr;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return;
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess) {
    Program(call, *state, stream).run_cycles([](const char*) {});
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess ||
        cudaGraphInstantiate(&state->cycles.graph, graph, 0) != cudaSuccess)
      state->cycles.graph = nullptr;
  }
  if (graph) cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaGetLastError();
}

std::int64_t workspace(const Problem& problem, const Sweeps& tuned) {
  const std::int64_t n = side(problem);
  return 8 * (3 * cube(n) + 2 * coarser_points(n) + Plan(log2_of(n), tuned, true).count());
}

// Sets the tuning that was fastest on an H200.
void adapt(const Problem& problem, Sweeps& tuned) {
  if (side(problem) > 512) tuned.warps = 20000;
}

const char* put_charges_on_gpu(std::int64_t n, double* v) {
  if (cudaMemset(v, 0, static_cast<std::size_t>(cube(n)) * sizeof(double)) != cudaSuccess)
    return "CUDA could not clear memory";
  const Charges charges = find_charges(n);
  for (int i = 0; i < charge_count; ++i) {
    const double minus = -1, plus = 1;
    if (cudaMemcpy(v + charges.negative[i], &minus, sizeof minus, cudaMemcpyHostToDevice) != cudaSuccess ||
        cudaMemcpy(v + charges.positive[i], &plus, sizeof plus, cudaMemcpyHostToDevice) != cudaSuccess)
      return "CUDA could not copy the charges to the GPU";
  }
  return nullptr;
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t n = side(call.problem);
  const auto tuned = call.tuned<Sweeps>();
  auto made = std::make_unique<State>();
  if (!made->u_memory.allocate(cube(n)) || !made->next_memory.allocate(cube(n)) ||
      !made->v_memory.allocate(cube(n)) || !made->coarse_u_memory.allocate(coarser_points(n)) ||
      !made->coarse_r_memory.allocate(coarser_points(n)) ||
      !made->partial_memory.allocate(Plan(log2_of(n), tuned, true).count()))
    return "device memory ran out";
  made->u[0] = made->u_memory.data, made->u[1] = made->next_memory.data;
  if (const char* why_not = allow_shared_memory(log2_of(n), tuned)) return why_not;
  if (const char* why_not = put_charges_on_gpu(n, made->v_memory.data)) return why_not;
  if (tuned.graph) record_cycles(call, made.get());
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_mg_cuda_sweeps() {
  return {{.name = "sweeps",
           .description = "two fused sweeps of marching tiles per cycle; all cycles in one CUDA graph",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Sweeps>({{"columns", &Sweeps::columns, {1, 2}},
                                         {"warps", &Sweeps::warps, {3168, 6336, 12672, 20000, 31680}},
                                         {"cubes_max_side", &Sweeps::cubes_max_side, {16, 32, 64, 128}},
                                         {"single_block_max_side", &Sweeps::single_block_max_side, {8, 16}},
                                         {"graph", &Sweeps::graph, {0, 1}}}),
           .launch = {.float64 = launch},
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
