// The published form: a kernel a hyperplane i + j + k, a thread a point, which reads its three neighbours' states and values.
#include "offloaded.hpp"
#include "skewed.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_lu;

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

}  // namespace

Variant npb_lu_cuda_hyperplanes() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the published form: a kernel a hyperplane, a thread a point";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, {32, 64, 128, 256}}});
  variant.launch = {.float64 = launch};
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = workspace;
  return variant;
}

}  // namespace sextant
