#include <algorithm>
#include <vector>

#include "blocks.hpp"
#include "offloaded.hpp"
#include "problem.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/npb_flow.cuh"
#include "toolbox/cuda/poll_limit.cuh"
#include "toolbox/cuda/posted.cuh"

// Skewed grid layout for wavefront sweeps. Points of a plane with equal i + j form a row along y. The points
// of a hyperplane i + j + k are one row for each k. Half of the rows' elements are unused.
namespace sextant::npb_lu {

struct SkewedGrid {
  std::int64_t n = 0, pitch = 0, lead = 0;
  // Point 1 of each row is aligned to 64 bytes.
  static constexpr SkewedGrid aligned(std::int64_t n) { return {n, (n + 7) / 8 * 8, 7}; }
  SEXTANT_FLOW std::int64_t rows() const { return 2 * n - 1; }  // number of rows per plane
  SEXTANT_FLOW std::int64_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return lead + j + pitch * (i + j + rows() * k);
  }
  SEXTANT_FLOW std::int64_t size() const { return (lead + 7) / 8 * 8 + pitch * rows() * n; }
  template <int axis>
  SEXTANT_FLOW std::int64_t step() const {
    return axis == 0 ? pitch : axis == 1 ? pitch + 1 : pitch * rows();
  }
};

// Computes v = dt * (f + S(u)) at interior points. The thread indices are (j, i + j, k).
template <int threads, int blocks>
__global__ void __launch_bounds__(threads, blocks)
    skewed_residual(SkewedGrid g, double dt, const double* __restrict__ u, const double* __restrict__ f,
                    double* __restrict__ v) {
  const Place at = place_of_thread();
  const std::int64_t j = at.i + 1, i = at.j + 2 - j, k = at.k + 1;
  if (j > g.n - 2 || i < 1 || i > g.n - 2) return;
  store(v, g.size(), g.at(i, j, k), times(dt, residual_by_axes(g, u, f, i, j, k)));
}

// ---- the pressure integral, added in the order of its rows ----

template <typename G>
__global__ void add_integral_rows(G g, const double* u, double* rows) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row < 3 * g.n) rows[row] = integral_row(g, u, row);
}

// Adds the integrals of all rows. Launched with one warp.
__global__ static void finish_integral(std::int64_t n, const double* rows, double* out) {
  double sum = 0;
  for (std::int64_t row = threadIdx.x; row < 3 * n; row += 32) sum += rows[row];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
  if (threadIdx.x == 0) out[norm_count] = integral_factor(n) * sum;
}

// Stores norms, integral and, if requested, the flow state.
template <typename G>
void put_all_results(const Call& call, const DeviceFlowOn<G>& flow, double* rows, cudaStream_t stream) {
  flow.put_results(call, stream);
  const auto blocks = static_cast<unsigned>((3 * flow.grid.n + 63) / 64);
  add_integral_rows<<<blocks, 64, 0, stream>>>(flow.grid, flow.u.data, rows);
  finish_integral<<<1, 32, 0, stream>>>(flow.grid.n, rows, call.array<double>(norms));
}

}  // namespace sextant::npb_lu

// Pipelined wavefront: one launch performs a whole sweep. A thread block takes a tile of rows along x, with
// one thread per row and one barrier per step. A thread is one point behind its predecessors in y and z, so
// their contributions ("products") were computed one step earlier. These are in shared memory; those of the
// thread's own row are in registers.
//
// The products of a tile's last rows go to the next tiles through global memory, as doubles that carry the
// number of the sweep. A separate warp receives them one step ahead, so only this warp waits for other thread
// blocks. Blocks take tiles in an order in which every tile comes after its predecessors. The sweep therefore
// makes progress with any number of resident blocks. Waiting is nevertheless bounded (poll_limit.cuh).
//
// Neighbours need only a point's products, not its flow state (blocks.hpp). The downward sweep can therefore
// update the state in place.
namespace sextant::npb_lu {

inline constexpr int receivers = 32;  // threads that receive products
inline constexpr int ahead = 8;       // steps by which data are prefetched into the L2 cache

// Division of the rows along x into tiles of rows_y x rows_z rows.
template <int rows_y, int rows_z>
struct Tiles {
  static constexpr int rows = rows_y * rows_z, threads = rows + receivers;
  static constexpr int blocks =
      // Blocks per multiprocessor. This number leaves each thread at least 168 registers.
      threads <= 192 ? 2 : 1;
  static constexpr int from_y = components * rows_z,
                       received = from_y + components * rows_y;  // doubles that a tile receives per step
  // Doubles that one receiving thread receives per step.
  static constexpr int each = (received + receivers - 1) / receivers;

  int inner, count_y, count_z;
  __host__ __device__ explicit Tiles(std::int64_t n)
      : inner(static_cast<int>(n) - 2),
        count_y((inner + rows_y - 1) / rows_y),
        count_z((inner + rows_z - 1) / rows_z) {}
  __host__ __device__ int count() const { return count_y * count_z; }
  // Returns the number of steps of a tile, including the delay of its last row.
  __host__ __device__ int steps() const { return inner + rows_y + rows_z - 2; }
  // Returns the number of doubles that all tiles receive in all steps.
  __host__ __device__ std::int64_t slots() const { return std::int64_t{count()} * steps() * received; }
};

// Data that all thread blocks of a launch share.
struct Sharing {
  const int2* order;  // order in which tiles are taken
  unsigned* taken;    // number of tiles taken in all sweeps since the counter was cleared
  Posted* mail;
  PollLimit poll_limit;
};

// The products of one step, which the rows use in the next step. The receiving threads write the first row
// and plane.
template <int rows_y, int rows_z>
struct Made {
  double along_y[2][components][rows_z][rows_y + 1], along_z[2][components][rows_z + 1][rows_y];
};

// Waits for the products that the tile's first rows need at step `step`. Called by the receiving threads.
template <int rows_y, int rows_z>
__device__ __forceinline__ void receive(const Tiles<rows_y, rows_z>& tiles, const int2& tile,
                                        const Posted* mail, const PollLimit& poll_limit, unsigned round,
                                        int step, bool& gave_up, Made<rows_y, rows_z>& made) {
  using T = Tiles<rows_y, rows_z>;
  const int lane = static_cast<int>(threadIdx.x) - T::rows, buffer = step & 1;
  double values[T::each] = {};
  bool wanted[T::each], missing = false;
  const Posted* from[T::each];
#pragma unroll
  for (int x = 0; x < T::each; ++x) {
    const int e = lane + x * receivers;
    const bool is_y = e < T::from_y;
    const int row =
        // Index along the edge, relative to the first row of the tile.
        is_y ? e % rows_z : (e - T::from_y) % rows_y;
    const int p = 1 + step - row, others = is_y ? tile.y * rows_z : tile.x * rows_y;
    wanted[x] = e < T::received && (is_y ? tile.x : tile.y) > 0 && p >= 1 && p <= tiles.inner &&
                others + row < tiles.inner;
    missing |= wanted[x];
    from[x] = mail + std::int64_t{step} * T::received + (wanted[x] ? e : 0);
  }
  // Keeps all loads in flight at the same time, including loads of values that are not needed.
  for (int looks = 0; missing; ++looks) {
    bool has_come[T::each];
#pragma unroll
    for (int x = 0; x < T::each; ++x) has_come[x] = peek(from[x], round, values[x]);
    missing = false;
#pragma unroll
    for (int x = 0; x < T::each; ++x) missing |= wanted[x] && !has_come[x];
    if (gave_up) break;
    if (missing && looks + 1 >= poll_limit.peeks) gave_up = true, poll_limit.give_up();
  }
#pragma unroll
  for (int x = 0; x < T::each; ++x)
    if (!wanted[x]) values[x] = 0;
#pragma unroll
  for (int x = 0; x < T::each; ++x) {
    const int e = lane + x * receivers;
    if (e < T::from_y)
      made.along_y[buffer][e / rows_z][e % rows_z][0] = values[x];
    else if (e < T::received)
      made.along_z[buffer][(e - T::from_y) / rows_y][0][(e - T::from_y) % rows_y] = values[x];
  }
}

// Performs one sweep: updates v, or with `upper` the flow state. There must be one thread block per tile.
template <bool upper, int rows_y, int rows_z>
__global__ void __launch_bounds__(Tiles<rows_y, rows_z>::threads, Tiles<rows_y, rows_z>::blocks)
    sweep(SkewedGrid g, Weights w, double* u, double* v, Sharing sharing, unsigned round) {
  using T = Tiles<rows_y, rows_z>;
  __shared__ Made<rows_y, rows_z> made;
  __shared__ int2 tile_of_block;
  const T tiles(g.n);
  const auto thread = static_cast<int>(threadIdx.x);
  if (thread == 0)
    tile_of_block =
        sharing.order[atomicAdd(sharing.taken, 1u) - (round - 1) * static_cast<unsigned>(tiles.count())];
  __syncthreads();
  const int2 tile = tile_of_block;
  // Number of doubles that a tile receives in all steps.
  const std::int64_t slots = std::int64_t{tiles.steps()} * T::received;
  Posted* const mail = sharing.mail + (std::int64_t{tile.y} * tiles.count_y + tile.x) * slots;
  const int steps = tiles.steps();
  const int y = thread % rows_y, z = thread / rows_y;
  const int q = 1 + tile.x * rows_y + y, r = 1 + tile.y * rows_z + z;
  const bool is_row = thread < T::rows && q <= tiles.inner && r <= tiles.inner;
  const bool sends_y = y == rows_y - 1 && tile.x + 1 < tiles.count_y,
             sends_z = z == rows_z - 1 && tile.y + 1 < tiles.count_z;
  Posted *const to_y = mail + slots + z, *const to_z = mail + slots * tiles.count_y + T::from_y + y;
  constexpr int sign = upper ? 1 : -1;
  const std::int64_t size = g.size(), forward = upper ? -g.pitch : g.pitch;
  // Offset of point p = 0 of the thread's row. The thread reaches it in step y + z - 1.
  const std::int64_t first = is_row ? (upper ? g.at(g.n - 1, g.n - 1 - q, g.n - 1 - r) : g.at(0, q, r)) : 0;
  double state[components] = {}, value[components] = {}, along_x[components] = {};
  bool gave_up = false;
  for (int step = -1; step < steps; ++step) {
    const int p = 1 + step - y - z;
    if (thread >= T::rows) {
      if (step + 1 < steps)
        receive<rows_y, rows_z>(tiles, tile, mail, sharing.poll_limit, round, step + 1, gave_up, made);
    } else if (is_row && p >= 0 && p <= tiles.inner) {
      const std::int64_t here = first + p * forward;
      double next_state[components] = {}, next_value[components] = {};
      if (p < tiles.inner) {
#pragma unroll
        for (int m = 0; m < components; ++m) {
          next_state[m] = u[m * size + here + forward];
          next_value[m] = v[m * size + here + forward];
        }
      }
      if (p + ahead <= tiles.inner) {
#pragma unroll
        for (int m = 0; m < components; ++m) {
          fetch_ahead(u + m * size + here + ahead * forward);
          fetch_ahead(v + m * size + here + ahead * forward);
        }
      }
      if (p >= 1) {
        const Point<double> point = point_of<double>(state);
        const Own<double> own = own_of(w, point);
        double sum[components], along_y[components], along_z[components];
#pragma unroll
        for (int m = 0; m < components; ++m)
          sum[m] = along_x[m] + made.along_y[step & 1][m][z][y] + made.along_z[step & 1][m][z][y];
        relax<upper>(w, own, sum, value);
        product<1, sign>(w, point, value, along_y);
        product<2, sign>(w, point, value, along_z);
        const int buffer = (step + 1) & 1;
#pragma unroll
        for (int m = 0; m < components; ++m) {
          made.along_y[buffer][m][z][y + 1] = along_y[m];
          made.along_z[buffer][m][z + 1][y] = along_z[m];
          // The receiving row is z or y steps behind the start of its tile.
          if (sends_y) post(to_y + std::int64_t{p - 1 + z} * T::received + m * rows_z, along_y[m], round);
          if (sends_z) post(to_z + std::int64_t{p - 1 + y} * T::received + m * rows_y, along_z[m], round);
        }
        product<0, sign>(w, point, value, along_x);
#pragma unroll
        for (int m = 0; m < components; ++m) {
          if (upper)
            u[m * size + here] = state[m] + step_factor * value[m];
          else
            v[m * size + here] = value[m];
        }
      }
#pragma unroll
      for (int m = 0; m < components; ++m) state[m] = next_state[m], value[m] = next_value[m];
    }
    __syncthreads();
  }
}

}  // namespace sextant::npb_lu

namespace sextant {
namespace {

using namespace npb_lu;

// The published version: one kernel per hyperplane i + j + k. Each thread processes one point and reads the
// flow states and values of its three neighbours.
namespace hyperplanes {

struct Shape {
  int block_size = 64;  // threads per block in the kernels over hyperplanes
};

struct State {
  DeviceFlow flow;
  DeviceDoubles rows;
};

// Processes the points of one hyperplane. The thread indices are (j, k), starting at the first row that has a
// point of the plane.
template <bool upper>
__global__ void __launch_bounds__(256)
    sweep_plane(Grid g, double dt, int plane, int first, const double* __restrict__ u, double* v) {
  const int j = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
            k = first + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y), i = plane - j - k;
  const int last = static_cast<int>(g.n) - 2;
  if (j <= last && k <= last && i >= 1 && i <= last) sweep_point<upper>(g, dt, u, i, j, k, v);
}

__global__ void change_state(Grid g, const double* __restrict__ v, double* u) {
  const Place at = place_of_thread();
  if (at.within(0, g.n - 2)) change_point(g, v, at.i + 1, at.j + 1, at.k + 1, u);
}

template <bool upper>
void sweep(const Call& call, const DeviceFlow& flow, double dt, int plane) {
  const auto n = static_cast<int>(flow.grid.n);
  const int first = first_row(n, plane), rows = end_row(n, plane) - first;
  const dim3 block(32, static_cast<unsigned>(call.tuned<Shape>().block_size / 32));
  const dim3 grid(blocks_for(rows, 32), blocks_for(rows, static_cast<int>(block.y)));
  sweep_plane<upper>
      <<<grid, block, 0, stream_of(call)>>>(flow.grid, dt, plane, first, flow.u.data, flow.b.data);
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const DeviceFlow& flow = state.flow;
  const auto n = static_cast<int>(flow.grid.n);
  const double dt = time_step(call.problem);
  const Cover inside(n - 2);
  call.phase("reset");
  flow.reset(stream_of(call));
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    call.phase("rhs");
    scaled_residual<128, 3><<<inside.grid, inside.block, 0, stream_of(call)>>>(flow.grid, dt, flow.u.data,
                                                                               flow.f.data, flow.b.data);
    call.phase("lower");
    for (int plane = first_plane; plane <= last_plane(n); ++plane) sweep<false>(call, flow, dt, plane);
    call.phase("upper");
    for (int plane = last_plane(n); plane >= first_plane; --plane) sweep<true>(call, flow, dt, plane);
    change_state<<<inside.grid, inside.block, 0, stream_of(call)>>>(flow.grid, flow.b.data, flow.u.data);
  }
  call.phase("verify");
  put_all_results(call, flow, state.rows.data, stream_of(call));
  call.phase("");
}

std::int64_t workspace(const Problem& problem, const int*) {
  return DeviceFlow::bytes(points(problem)) + 8 * 3 * points(problem);
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t n = points(call.problem);
  auto made = std::make_unique<State>();
  if (const char* why_not = made->flow.make(n, stream_of(call))) return why_not;
  if (!made->rows.allocate(3 * n)) return "device memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace hyperplanes

// One launch per sweep. Thread blocks process tiles of rows and wait for data from neighbouring tiles.
namespace tiles {

using RowsAlongY = Choices<8, 16, 32>;
using RowsAlongZ = Choices<4, 8>;
using Resident = Choices<3, 4>;

struct Shape {
  int rows_y = 16, rows_z = 8,
      // Thread blocks of the residual's kernel that should be resident per multiprocessor.
      blocks_per_multiprocessor = 4;
};

struct DeviceTiles {
  int2* order = nullptr;
  unsigned* taken = nullptr;
  Posted* mail = nullptr;
  std::size_t mail_bytes = 0;
  DeviceTiles() = default;
  DeviceTiles(const DeviceTiles&) = delete;
  DeviceTiles& operator=(const DeviceTiles&) = delete;
  ~DeviceTiles() { cudaFree(order), cudaFree(taken), cudaFree(mail); }

  // Allocates the shared data. Orders the tiles by y + z, so that a tile's predecessors come first.
  cudaError_t make(int count_y, int count_z, std::int64_t slots) {
    std::vector<int2> list;
    for (int front = 0; front < count_y + count_z - 1; ++front)
      for (int y = std::max(0, front - count_z + 1); y <= std::min(front, count_y - 1); ++y)
        list.push_back({y, front - y});
    mail_bytes = static_cast<std::size_t>(slots) * sizeof *mail;
    cudaError_t error = cudaMalloc(&order, list.size() * sizeof *order);
    if (error == cudaSuccess) error = cudaMalloc(&taken, sizeof *taken);
    if (error == cudaSuccess) error = cudaMalloc(&mail, mail_bytes);
    if (error != cudaSuccess) return error;
    return cudaMemcpy(order, list.data(), list.size() * sizeof *order, cudaMemcpyHostToDevice);
  }
};

struct State {
  DeviceFlowOn<SkewedGrid> flow;
  DeviceDoubles rows;
  DeviceTiles tiles;
  WaitFlag flag;
};

// Calls function.template operator()<rows_y, rows_z>().
template <typename Function>
void with_tiles(const Shape& shape, const Function& function) {
  RowsAlongY::with(shape.rows_y, [&]<int rows_y>() {
    RowsAlongZ::with(shape.rows_z, [&]<int rows_z>() { function.template operator()<rows_y, rows_z>(); });
  });
}

template <int rows_y, int rows_z>
void run(const Call& call, const State& state) {
  using T = Tiles<rows_y, rows_z>;
  const auto& flow = state.flow;
  const SkewedGrid& g = flow.grid;
  const cudaStream_t stream = stream_of(call);
  const double dt = time_step(call.problem);
  const Weights w(g.n, dt);
  const auto blocks = static_cast<unsigned>(T(g.n).count());
  const Sharing sharing = {state.tiles.order, state.tiles.taken, state.tiles.mail, state.flag.poll_limit()};
  const std::int64_t inner = g.n - 2;
  const dim3 rhs_grid(blocks_for(inner, 32), blocks_for(2 * inner - 1, 4), static_cast<unsigned>(inner));
  unsigned round = 0;  // number of the sweep; received products with another number are ignored
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    call.phase("rhs");
    Resident::with(call.tuned<Shape>().blocks_per_multiprocessor, [&]<int resident>() {
      skewed_residual<128, resident>
          <<<rhs_grid, dim3(32, 4), 0, stream>>>(g, dt, flow.u.data, flow.f.data, flow.b.data);
    });
    call.phase("lower");
    sweep<false, rows_y, rows_z>
        <<<blocks, T::threads, 0, stream>>>(g, w, flow.u.data, flow.b.data, sharing, ++round);
    call.phase("upper");
    sweep<true, rows_y, rows_z>
        <<<blocks, T::threads, 0, stream>>>(g, w, flow.u.data, flow.b.data, sharing, ++round);
  }
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const cudaStream_t stream = stream_of(call);
  call.phase("reset");
  state.flow.reset(stream);
  cudaMemsetAsync(state.tiles.mail, 0, state.tiles.mail_bytes, stream);
  cudaMemsetAsync(state.tiles.taken, 0, sizeof *state.tiles.taken, stream);
  with_tiles(call.tuned<Shape>(), [&]<int rows_y, int rows_z>() { run<rows_y, rows_z>(call, state); });
  call.phase("verify");
  put_all_results(call, state.flow, state.rows.data, stream);
  call.phase("");
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  const std::int64_t n = points(problem);
  std::int64_t of_tiles = 0;
  with_tiles(shape, [&]<int rows_y, int rows_z>() {
    const Tiles<rows_y, rows_z> tiles(n);
    of_tiles = tiles.slots() * static_cast<std::int64_t>(sizeof(Posted)) +
               tiles.count() * static_cast<std::int64_t>(sizeof(int2));
  });
  return DeviceFlowOn<SkewedGrid>::bytes(n) + 8 * 3 * n + of_tiles;
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t n = points(call.problem);
  auto made = std::make_unique<State>();
  if (const char* why_not = made->flow.make(n, stream_of(call))) return why_not;
  cudaError_t error = made->flag.make();
  with_tiles(call.tuned<Shape>(), [&]<int rows_y, int rows_z>() {
    const Tiles<rows_y, rows_z> tiles(n);
    if (error == cudaSuccess) error = made->tiles.make(tiles.count_y, tiles.count_z, tiles.slots());
  });
  if (error != cudaSuccess) cudaGetLastError();  // clears the error, so that a later check does not report it
  if (error != cudaSuccess || !made->rows.allocate(3 * n)) return "device memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace tiles

}  // namespace

std::vector<Variant> npb_lu_cuda() {
  return {
      {.name = "hyperplanes",
       .description = "the published form: one kernel per hyperplane, one thread per point",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<hyperplanes::Shape>(
           {{"block_size", &hyperplanes::Shape::block_size, {32, 64, 128, 256}}}),
       .launch = {.float64 = hyperplanes::launch},
       .prepare = hyperplanes::prepare,
       .release = [](void* state) { delete static_cast<hyperplanes::State*>(state); },
       .workspace = hyperplanes::workspace},
      {.name = "tiles",
       .description =
           "one launch per sweep, one thread per row; tiles of rows wait for their neighbours' results",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<tiles::Shape>({{"rows_y", &tiles::Shape::rows_y, tiles::RowsAlongY::list()},
                                   {"rows_z", &tiles::Shape::rows_z, tiles::RowsAlongZ::list()},
                                   {"blocks_per_multiprocessor", &tiles::Shape::blocks_per_multiprocessor,
                                    tiles::Resident::list()}}),
       .launch = {.float64 = tiles::launch},
       .prepare = tiles::prepare,
       .release = [](void* state) { delete static_cast<tiles::State*>(state); },
       .workspace = by_name<tiles::workspace>},
  };
}

}  // namespace sextant
