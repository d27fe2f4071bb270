// Variant cuda.stored_blocks follows the published GPU version of NAS BT. It first computes and stores the
// three 5 x 5 blocks of every point. Then five threads per line, one per block column, eliminate in shared
// memory.
#include "lines.cuh"
#include "problem.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_bt;

struct Shape {
  int lines_per_block = 16;  // number of lines per thread block
};
constexpr int most_lines = 32;

struct State {
  DeviceFlow flow;
  DeviceDoubles blocks;  // lower, diagonal and upper block of each point; elimination overwrites the upper
};

// The blocks of all points. The line is the fastest index, so that adjacent threads access adjacent memory.
struct Blocks {
  double* data;
  std::int64_t lines, inner;
  __device__ double& at(int which, int row, int column, std::int64_t q, std::int64_t number) const {
    return data[((which * block_doubles + components * row + column) * inner + q) * lines + number];
  }
};

__device__ void put_block(const Blocks& blocks, int which, const Block<double>& m, std::int64_t q,
                          std::int64_t number) {
#pragma unroll
  for (int row = 0; row < components; ++row)
#pragma unroll
    for (int column = 0; column < components; ++column)
      blocks.at(which, row, column, q, number) = m[row][column];
}

// Computes the blocks of one point per thread; blockIdx.y is the point's index on its line.
template <int axis>
__global__ void make_blocks(Grid g, Line line, Blocks blocks, const double* u) {
  const LineOfThread mine(g, axis);
  if (!mine.is_one) return;
  const std::int64_t q = blockIdx.y, at = mine.at + (q + 1) * mine.step, size = g.size();
  Block<double> m = {};
  if (q > 0) side_block<axis, -1>(line, stored_point(u, size, at - mine.step), m);
  put_block(blocks, 0, m, q, mine.number);
  own_block<axis>(line, stored_point(u, size, at), m);
  put_block(blocks, 1, m, q, mine.number);
  Block<double> above = {};
  if (q < g.n - 3) side_block<axis, 1>(line, stored_point(u, size, at + mine.step), above);
  put_block(blocks, 2, above, q, mine.number);
}

// Solves the lines along `axis` with five threads per line, one per block column. The blocks of the current
// point are in shared memory.
template <int axis>
__global__ void solve_lines(Grid g, Blocks blocks, double* u, double* b) {
  __shared__ double own[components][components][most_lines], above[components][components][most_lines],
      before[components][components][most_lines], right[components][most_lines],
      known[components][most_lines];
  const int l = static_cast<int>(threadIdx.x), column = static_cast<int>(threadIdx.y);
  const std::int64_t inner = g.n - 2, number = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + l;
  const bool is_one = number < inner * inner;
  const std::int64_t near = number % inner + 1, other = number / inner + 1, size = g.size();
  const std::int64_t first = axis == 0   ? g.at(1, near, other)
                             : axis == 1 ? g.at(near, 1, other)
                                         : g.at(near, other, 1);
  const std::int64_t step = axis == 0 ? 1 : axis == 1 ? g.pitch : g.pitch * g.n;
  for (int row = 0; row < components; ++row) before[row][column][l] = 0;
  known[column][l] = 0;
  for (std::int64_t q = 0; q < inner; ++q) {
    __syncthreads();
    for (int row = 0; row < components; ++row) {
      own[row][column][l] = is_one ? blocks.at(1, row, column, q, number) : (row == column ? 1.0 : 0.0);
      above[row][column][l] = is_one ? blocks.at(2, row, column, q, number) : 0.0;
    }
    right[column][l] = is_one ? b[column * size + first + q * step] : 0.0;
    __syncthreads();
    for (int row = 0; row < components; ++row) {
      double sum = 0, of_right = 0;
      for (int m = 0; m < components; ++m) {
        const double lower = is_one ? blocks.at(0, row, m, q, number) : 0.0;
        sum += lower * before[m][column][l];
        of_right += lower * known[m][l];
      }
      own[row][column][l] -= sum;
      if (column == row) right[row][l] -= of_right;
    }
    for (int pivot = 0; pivot < components; ++pivot) {
      __syncthreads();
      const double inverse = reciprocal(own[pivot][pivot][l]);
      double factors[components];
      for (int row = 0; row < components; ++row) factors[row] = own[row][pivot][l];
      __syncthreads();
      const double scaled = own[pivot][column][l] * inverse, scaled_above = above[pivot][column][l] * inverse;
      const double scaled_right = right[pivot][l] * inverse;
      own[pivot][column][l] = scaled;
      above[pivot][column][l] = scaled_above;
      __syncthreads();
      for (int row = 0; row < components; ++row)
        if (row != pivot) {
          own[row][column][l] -= factors[row] * scaled;
          above[row][column][l] -= factors[row] * scaled_above;
        }
      if (column == pivot)
        right[pivot][l] = scaled_right;
      else
        right[column][l] -= factors[column] * scaled_right;
    }
    __syncthreads();
    for (int row = 0; row < components; ++row) {
      before[row][column][l] = above[row][column][l];
      if (is_one) blocks.at(2, row, column, q, number) = above[row][column][l];
    }
    known[column][l] = right[column][l];
    if (is_one) b[column * size + first + q * step] = right[column][l];
  }
  for (std::int64_t q = inner - 1; q >= 0; --q) {
    const std::int64_t at = column * size + first + q * step;
    double x = is_one ? b[at] : 0.0;
    if (q < inner - 1 && is_one)
      for (int m = 0; m < components; ++m) x -= blocks.at(2, column, m, q, number) * known[m][l];
    __syncthreads();
    known[column][l] = x;
    __syncthreads();
    if (is_one && axis == 2) u[at] += x;
    if (is_one && axis != 2) b[at] = x;
  }
}

template <int axis>
void along(const Call& call, const State& state, const Line& line) {
  const DeviceFlow& flow = state.flow;
  const Grid& g = flow.grid;
  const std::int64_t inner = g.n - 2;
  const Blocks blocks = {state.blocks.data, inner * inner, inner};
  const int lines = call.tuned<Shape>().lines_per_block;
  const dim3 points_grid(blocks_for(inner * inner, 128), static_cast<unsigned>(inner));
  make_blocks<axis><<<points_grid, 128, 0, stream_of(call)>>>(g, line, blocks, flow.u.data);
  const dim3 threads(static_cast<unsigned>(lines), components);
  solve_lines<axis><<<blocks_for(inner * inner, lines), threads, 0, stream_of(call)>>>(g, blocks, flow.u.data,
                                                                                       flow.b.data);
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const DeviceFlow& flow = state.flow;
  const Grid& g = flow.grid;
  const double dt = time_step(call.problem);
  const Line line(g.n, dt);
  const Cover inside(g.n - 2);
  call.phase("reset");
  flow.reset(stream_of(call));
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    call.phase("rhs");
    scaled_residual<128, 3>
        <<<inside.grid, inside.block, 0, stream_of(call)>>>(g, dt, flow.u.data, flow.f.data, flow.b.data);
    call.phase("x_solve");
    along<0>(call, state, line);
    call.phase("y_solve");
    along<1>(call, state, line);
    call.phase("z_solve");
    along<2>(call, state, line);
  }
  call.phase("verify");
  flow.put_results(call, stream_of(call));
  call.phase("");
}

std::int64_t workspace(const Problem& problem, const int*) {
  return DeviceFlow::bytes(points(problem)) + 8 * scratch_doubles(points(problem), 3 * block_doubles);
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t n = points(call.problem);
  auto made = std::make_unique<State>();
  if (const char* why_not = made->flow.make(n, stream_of(call))) return why_not;
  if (!made->blocks.allocate(scratch_doubles(n, 3 * block_doubles))) return "device memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_bt_cuda_stored_blocks() {
  return {
      {.name = "stored_blocks",
       .description = "the published form: all blocks stored first; five threads per line, in shared memory",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Shape>({{"lines_per_block", &Shape::lines_per_block, {4, 8, 16, 32}}}),
       .launch = {.float64 = launch},
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<State*>(state); },
       .workspace = workspace}};
}

}  // namespace sextant
