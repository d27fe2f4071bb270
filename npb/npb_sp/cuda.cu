// Variant cuda.thread_lines follows the published GPU version of NAS SP: one thread per line, with factors
// and right-hand sides in device memory. Lines along x are solved in transposed copies, so that adjacent
// threads read adjacent memory.
#include "lines.cuh"
#include "problem.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_sp;

struct Block {
  int block_size = 64;  // threads per block in the kernels over lines
};

// Number of arrays of factors. Number of transposed arrays: density, momentum along x, speed of sound, and
// the five right-hand sides b.
constexpr int factor_count = 6, turned_count = 8;
constexpr int tile = 32, tile_rows = 8;

struct State {
  DeviceFlow flow;
  DeviceDoubles sound, factors, turned;
};

// Transposes x and y of an array, to(j, i, k) = from(i, j, k). Each thread block transposes one tile of a
// plane.
__device__ void turn_tile(const Grid& g, double (*cell)[tile + 1], const double* from, double* to) {
  const std::int64_t i0 = std::int64_t{tile} * blockIdx.x, j0 = std::int64_t{tile} * blockIdx.y,
                     k = blockIdx.z;
  for (int row = static_cast<int>(threadIdx.y); row < tile; row += tile_rows)
    if (i0 + threadIdx.x < g.n && j0 + row < g.n)
      cell[row][threadIdx.x] = from[g.at(i0 + threadIdx.x, j0 + row, k)];
  __syncthreads();
  for (int row = static_cast<int>(threadIdx.y); row < tile; row += tile_rows)
    if (j0 + threadIdx.x < g.n && i0 + row < g.n)
      to[g.at(j0 + threadIdx.x, i0 + row, k)] = cell[threadIdx.x][row];
  __syncthreads();
}

__global__ void turn(Grid g, const double* u, const double* sound, const double* b, double* turned) {
  __shared__ double cell[tile][tile + 1];
  const std::int64_t size = g.size();
  const double* const from[turned_count] = {u,        u + size,     sound,        b,
                                            b + size, b + 2 * size, b + 3 * size, b + 4 * size};
#pragma unroll
  for (int m = 0; m < turned_count; ++m) turn_tile(g, cell, from[m], turned + m * size);
}

__global__ void turn_back(Grid g, const double* turned_b, double* b) {
  __shared__ double cell[tile][tile + 1];
  for (int m = 0; m < components; ++m) turn_tile(g, cell, turned_b + m * g.size(), b + m * g.size());
}

// Solves one line per thread, out of inner * inner lines. Adjacent lines are adjacent along x or, in the
// transposed copies, along y.
template <int axis>
__global__ void solve_lines_by_threads(Grid g, Line line, const double* sound, double* factors, double* u,
                                       double* b) {
  const std::int64_t inner = g.n - 2, lines = inner * inner;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= lines) return;
  const std::int64_t near = i % inner + 1, other = i / inner + 1;
  const std::int64_t at = axis == 2 ? g.at(near, other, 0) : g.at(near, 0, other);
  const std::int64_t step = axis == 2 ? g.pitch * g.n : g.pitch;
  solve_stored_together<axis>(line, g.size(), {at, step, factors + i - lines, lines * inner, lines}, sound, u,
                              b);
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const DeviceFlow& flow = state.flow;
  const Grid& g = flow.grid;
  const auto block = static_cast<unsigned>(call.tuned<Block>().block_size);
  const cudaStream_t stream = stream_of(call);
  const double dt = time_step(call.problem);
  const Line line(g.n, dt);
  const Cover inside(g.n - 2);
  const unsigned blocks = blocks_for((g.n - 2) * (g.n - 2), block);
  const auto tiles = static_cast<unsigned>((g.n + tile - 1) / tile);
  const dim3 planes(tiles, tiles, static_cast<unsigned>(g.n)), threads(tile, tile_rows);
  double *const turned = state.turned.data, *const turned_b = turned + 3 * g.size();
  call.phase("reset");
  flow.reset(stream);
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    call.phase("rhs");
    residual<<<inside.grid, inside.block, 0, stream>>>(g, dt, flow.u.data, flow.f.data, flow.b.data,
                                                       state.sound.data);
    call.phase("x_solve");
    turn<<<planes, threads, 0, stream>>>(g, flow.u.data, state.sound.data, flow.b.data, turned);
    solve_lines_by_threads<0>
        <<<blocks, block, 0, stream>>>(g, line, turned + 2 * g.size(), state.factors.data, turned, turned_b);
    turn_back<<<planes, threads, 0, stream>>>(g, turned_b, flow.b.data);
    call.phase("y_solve");
    solve_lines_by_threads<1><<<blocks, block, 0, stream>>>(g, line, state.sound.data, state.factors.data,
                                                            flow.u.data, flow.b.data);
    call.phase("z_solve");
    solve_lines_by_threads<2><<<blocks, block, 0, stream>>>(g, line, state.sound.data, state.factors.data,
                                                            flow.u.data, flow.b.data);
  }
  call.phase("verify");
  flow.put_results(call, stream);
  call.phase("");
}

std::int64_t factor_doubles(std::int64_t n) { return factor_count * (n - 2) * (n - 2) * (n - 2); }

std::int64_t workspace(const Problem& problem, const int*) {
  const std::int64_t n = points(problem);
  return DeviceFlow::bytes(n) + 8 * ((1 + turned_count) * Grid::aligned(n).size() + factor_doubles(n));
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t n = points(call.problem);
  auto made = std::make_unique<State>();
  if (const char* why_not = made->flow.make(n, stream_of(call))) return why_not;
  const std::int64_t size = made->flow.grid.size();
  if (!made->sound.allocate(size) || !made->factors.allocate(factor_doubles(n)) ||
      !made->turned.allocate(turned_count * size))
    return "device memory ran out";
  cudaMemsetAsync(made->sound.data, 0, static_cast<std::size_t>(size) * sizeof(double), stream_of(call));
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_sp_cuda() {
  return {
      {.name = "thread_lines",
       .description = "the published form: one thread per line, factors in memory, transposed copies along x",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Block>({{"block_size", &Block::block_size, {32, 64, 128, 256}}}),
       .launch = {.float64 = launch},
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<State*>(state); },
       .workspace = workspace}};
}

}  // namespace sextant
