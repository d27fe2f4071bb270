#include "pieces.cuh"
#include "problem.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_sp;

using Lines = Choices<2, 4, 8, 16>;
using LinesInPieces = Choices<2, 4, 8>;
using RowsOfLane = Choices<5, 13>;

// Tunables. Lines and threads per block, along x and along y and z. lanes: 2: two lanes per system, one for
// each half; 32: a warp per system, with right-hand sides from a separate kernel. start_spread_kcycles: clock
// cycles, in units of 1024, over which the starts of the first thread blocks are spread.
struct Shape {
  int lines_per_block_x = 8, block_size_x = 256, lines_per_block = 8, block_size = 256, lanes = 2,
      start_spread_kcycles = 0;
};

// Calls body.template operator()<R>() with the smallest number R of rows per lane for which a warp can hold a
// line.
template <typename Body>
void with_rows(std::int64_t n, const Body& body) {
  bool found = false;
  for (const int rows : RowsOfLane::list()) {
    if (found || n - 2 > warp_size * rows) continue;
    found = true;
    RowsOfLane::with(rows, body);
  }
}

struct State {
  DeviceFlow flow;
  DeviceDoubles sound;
  int multiprocessors = 0;
};

// Returns the bytes of shared memory per thread block, or 0 if there is no such kernel.
std::size_t shared_of(const Problem& problem, int lines, int lanes) {
  std::size_t bytes = 0;
  const std::int64_t n = points(problem);
  if (lanes == 2)
    Lines::with(lines, [&]<int L>() { bytes = bytes_of_halves<L>(n); });
  else if (LinesInPieces::has(lines))
    LinesInPieces::with(lines, [&]<int L>() { with_rows(n, [&]<int R>() { bytes = Pieces<L, R>::bytes; }); });
  return bytes;
}

// Shared memory per block on compute capability 9.0. `prepare` checks the limit of the actual GPU.
constexpr std::size_t most_shared = 227 * 1024;

template <int axis>
void solve(const Call& call, const State& state, const Line& line, int lines, int block_size) {
  const DeviceFlow& flow = state.flow;
  const Grid& g = flow.grid;
  const auto shape = call.tuned<Shape>();
  const dim3 grid(blocks_for(g.n - 2, lines), static_cast<unsigned>(g.n - 2));
  const auto threads = static_cast<unsigned>(block_size);
  const std::size_t bytes = shared_of(call.problem, lines, shape.lanes);
  const FirstTurn turn = {static_cast<unsigned>(state.multiprocessors * (most_shared / bytes)),
                          shape.start_spread_kcycles};
  const cudaStream_t stream = stream_of(call);
  double *const sound = state.sound.data, *const u = flow.u.data, *const b = flow.b.data;
  if (shape.lanes == 2)
    Lines::with(lines, [&]<int L>() {
      solve_halves<axis, L><<<grid, threads, bytes, stream>>>(g, line, turn, time_step(call.problem),
                                                              flow.f.data, sound, u, b);
    });
  else
    LinesInPieces::with(lines, [&]<int L>() {
      with_rows(g.n, [&]<int R>() {
        solve_pieces<axis, L, R><<<grid, threads, bytes, stream>>>(g, line, turn, sound, u, b);
      });
    });
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const DeviceFlow& flow = state.flow;
  const Grid& g = flow.grid;
  const auto shape = call.tuned<Shape>();
  const cudaStream_t stream = stream_of(call);
  const Line line(g.n, time_step(call.problem));
  const Cover inside(g.n - 2);
  call.phase("reset");
  flow.reset(stream);
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    if (shape.lanes > 2) {
      call.phase("rhs");
      residual<<<inside.grid, inside.block, 0, stream>>>(g, time_step(call.problem), flow.u.data, flow.f.data,
                                                         flow.b.data, state.sound.data);
    }
    call.phase("x_solve");
    solve<0>(call, state, line, shape.lines_per_block_x, shape.block_size_x);
    call.phase("y_solve");
    solve<1>(call, state, line, shape.lines_per_block, shape.block_size);
    call.phase("z_solve");
    solve<2>(call, state, line, shape.lines_per_block, shape.block_size);
  }
  call.phase("verify");
  flow.put_results(call, stream);
  call.phase("");
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return DeviceFlow::bytes(points(problem)) + 8 * Grid::aligned(points(problem)).size();
}

// Allows the kernels to use `bytes` of dynamic shared memory. Returns null, or the reason for a failure.
const char* allow_shared(std::initializer_list<const void*> kernels, std::size_t bytes) {
  for (const void* kernel : kernels)
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)) !=
        cudaSuccess) {
      cudaGetLastError();
      return "the GPU has too little shared memory for the lines of a block";
    }
  return nullptr;
}
template <typename... Arguments>
const void* address(void (*kernel)(Arguments...)) {
  return reinterpret_cast<const void*>(kernel);
}
const char* allow_shared(const Problem& problem, int lines, int lanes) {
  const char* why_not = nullptr;
  const std::size_t bytes = shared_of(problem, lines, lanes);
  if (lanes == 2)
    Lines::with(lines, [&]<int L>() {
      why_not = allow_shared(
          {address(solve_halves<0, L>), address(solve_halves<1, L>), address(solve_halves<2, L>)}, bytes);
    });
  else
    LinesInPieces::with(lines, [&]<int L>() {
      with_rows(points(problem), [&]<int R>() {
        why_not = allow_shared(
            {address(solve_pieces<0, L, R>), address(solve_pieces<1, L, R>), address(solve_pieces<2, L, R>)},
            bytes);
      });
    });
  return why_not;
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  const char* why_not = nullptr;
  for (const int lines : {shape.lines_per_block_x, shape.lines_per_block})
    if (!why_not) why_not = allow_shared(call.problem, lines, shape.lanes);
  if (why_not) return why_not;
  auto made = std::make_unique<State>();
  if ((why_not = made->flow.make(points(call.problem), stream_of(call)))) return why_not;
  const auto bytes = static_cast<std::size_t>(made->flow.grid.size()) * sizeof(double);
  if (!made->sound.allocate(made->flow.grid.size())) return "device memory ran out";
  int device = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&made->multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaMemsetAsync(made->sound.data, 0, bytes, stream_of(call));
  *state = made.release();
  return nullptr;
}

const char* refuse_block(const Problem& problem, int lines, int block_size, int lanes) {
  const std::size_t bytes = shared_of(problem, lines, lanes);
  if (lanes == 2) {
    int needed = 0;
    Lines::with(lines, [&]<int L>() { needed = solvers<L>; });
    if (needed > block_size) return "too few threads per block for the systems of its lines";
  } else {
    if (bytes == 0)
      return "lanes=32 has no kernel for this number of lines per block, or the lines are too long";
    if (block_size != warps_of_line * warp_size * lines)
      return "lanes=32 needs 64 threads per line: two warps";
  }
  return bytes > most_shared ? "a block's lines do not fit in shared memory" : nullptr;
}

const char* constraint(const Problem& problem, const Shape& shape) {
  const char* why_not = refuse_block(problem, shape.lines_per_block_x, shape.block_size_x, shape.lanes);
  return why_not ? why_not : refuse_block(problem, shape.lines_per_block, shape.block_size, shape.lanes);
}

// Sets the tunings that were fastest on an H100: eight lines per thread block, or as many as fit. Short lines
// use smaller blocks, of which more are resident. Sixteen lines in one block replace two resident blocks of
// eight lines. If eight lines do not fit, a warp per system is fastest on an H200. The starts of the first
// blocks are spread if there are several waves of blocks.
void adapt(const Problem& problem, Shape& shape) {
  const auto fits = [&](int lines) { return shared_of(problem, lines, 2) <= most_shared; };
  while (shape.lines_per_block > 2 && !fits(shape.lines_per_block)) shape.lines_per_block /= 2;
  if (points(problem) <= 80) shape.block_size = 128;
  if (shape.lines_per_block == 8 && points(problem) > 128 && fits(16))
    shape.lines_per_block = 16, shape.block_size = 512;
  if (shape.lines_per_block < 8 && shared_of(problem, 8, warp_size) > 0) {
    shape.lanes = warp_size, shape.lines_per_block_x = 4, shape.block_size_x = 256, shape.lines_per_block = 8,
    shape.block_size = 512;
  } else {
    shape.lines_per_block_x = shape.lines_per_block, shape.block_size_x = shape.block_size;
  }
  if (points(problem) > 80) shape.start_spread_kcycles = 24;
}

}  // namespace

std::vector<Variant> npb_sp_cuda_lines() {
  return {
      {.name = "lines_per_block",
       .description = "lines in shared memory; two threads per system, from both ends, or a warp per system",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<Shape>({{"lines_per_block_x", &Shape::lines_per_block_x, Lines::list()},
                            {"block_size_x", &Shape::block_size_x, {128, 256, 512}},
                            {"lines_per_block", &Shape::lines_per_block, Lines::list()},
                            {"block_size", &Shape::block_size, {128, 256, 512}},
                            {"lanes", &Shape::lanes, {2, warp_size}},
                            {"start_spread_kcycles", &Shape::start_spread_kcycles, {0, 8, 16, 24, 32}}}),
       .launch = {.float64 = launch},
       .constraint = by_name<constraint>,
       .adapt = by_name<adapt>,
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<State*>(state); },
       .workspace = by_name<workspace>}};
}

}  // namespace sextant
