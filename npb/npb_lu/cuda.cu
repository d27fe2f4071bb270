#include <algorithm>
#include <vector>

#include "offloaded.hpp"
#include "skewed.cuh"
#include "sweeps.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_lu;

// The published form: a kernel a hyperplane i + j + k, a thread a point, which reads its three neighbours' states and values.
namespace hyperplanes {

struct Shape {
  int block_size = 64;  // of a hyperplane
};

struct State {
  DeviceFlow flow;
  DeviceDoubles rows;
};

// Threads (j, k), from the first row on that has a point of the plane.
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

// A launch a sweep, whose tiles of rows wait for what their neighbours send.
namespace tiles {

using RowsAlongY = Choices<8, 16, 32>;
using RowsAlongZ = Choices<4, 8>;
using Resident = Choices<3, 4>;

struct Shape {
  int rows_y = 16, rows_z = 8, resident = 4;  // resident: blocks of the residual a multiprocessor
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

  // Tiles by the sum of their numbers: those that one waits for have a smaller one.
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
  const Sharing sharing = {state.tiles.order, state.tiles.taken, state.tiles.mail, state.flag.patience()};
  const std::int64_t inner = g.n - 2;
  const dim3 rhs_grid(blocks_for(inner, 32), blocks_for(2 * inner - 1, 4), static_cast<unsigned>(inner));
  unsigned round = 0;  // of sweeps: mail of others is none
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    call.phase("rhs");
    Resident::with(call.tuned<Shape>().resident, [&]<int resident>() {
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
  if (error != cudaSuccess) cudaGetLastError();  // a failed allocation must not be found by a later check
  if (error != cudaSuccess || !made->rows.allocate(3 * n)) return "device memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace tiles

}  // namespace

std::vector<Variant> npb_lu_cuda() {
return {
{.name = "hyperplanes",
.description = "the published form: a kernel a hyperplane, a thread a point",
.memory_space = MemorySpace::cuda,
.tunables = tunables<hyperplanes::Shape>({{"block_size", &hyperplanes::Shape::block_size, {32, 64, 128, 256}}}),
.launch = {.float64 = hyperplanes::launch},
.prepare = hyperplanes::prepare,
.release = [](void* state) { delete static_cast<hyperplanes::State*>(state); },
.workspace = hyperplanes::workspace},
{.name = "tiles",
.description = "a launch a sweep, a thread a row; tiles of rows wait for what neighbours send",
.memory_space = MemorySpace::cuda,
.tunables = tunables<tiles::Shape>({{"rows_y", &tiles::Shape::rows_y, tiles::RowsAlongY::list()},
                                      {"rows_z", &tiles::Shape::rows_z, tiles::RowsAlongZ::list()},
                                      {"resident", &tiles::Shape::resident, tiles::Resident::list()}}),
.launch = {.float64 = tiles::launch},
.prepare = tiles::prepare,
.release = [](void* state) { delete static_cast<tiles::State*>(state); },
.workspace = by_name<tiles::workspace>},
};
}

}  // namespace sextant
