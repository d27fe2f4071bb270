#include "lines.cuh"
#include "problem.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_sp;

using Lines = Choices<2, 4, 8, 16>;

// Lines of a block and its threads, along x and y and, as these write more, along z; spread: Ki cycles over which the first
// blocks begin.
struct Shape {
  int lines = 8, block_size = 256, lines_z = 8, block_size_z = 256, spread = 0;
};

struct State {
  DeviceFlow flow;
  DeviceDoubles sound;
  int multiprocessors = 0;
};

std::size_t shared_of(const Problem& problem, int lines) {
  std::size_t bytes = 0;
  Lines::with(lines, [&]<int L>() { bytes = shared_bytes<L>(points(problem)); });
  return bytes;
}

// Of a block, on compute capability 9.0; prepare asks the GPU at hand.
constexpr std::size_t most_shared = 227 * 1024;

template <int axis>
void solve(const Call& call, const State& state, const Line& line, int lines, int block_size) {
  const Grid& g = state.flow.grid;
  Lines::with(lines, [&]<int L>() {
    const dim3 grid(static_cast<unsigned>((g.n - 2 + L - 1) / L), static_cast<unsigned>(g.n - 2));
    const std::size_t bytes = shared_bytes<L>(g.n);
    const FirstTurn turn = {static_cast<unsigned>(state.multiprocessors * (most_shared / bytes)),
                            call.tuned<Shape>().spread};
    solve_lines<axis, L><<<grid, static_cast<unsigned>(block_size), bytes, stream_of(call)>>>(
        g, line, turn, time_step(call.problem), state.flow.f.data, state.sound.data, state.flow.u.data,
        state.flow.b.data);
  });
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const DeviceFlow& flow = state.flow;
  const Grid& g = flow.grid;
  const auto shape = call.tuned<Shape>();
  const cudaStream_t stream = stream_of(call);
  const Line line(g.n, time_step(call.problem));
  call.phase("reset");
  flow.reset(stream);
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    call.phase("x_solve");
    solve<0>(call, state, line, shape.lines, shape.block_size);
    call.phase("y_solve");
    solve<1>(call, state, line, shape.lines, shape.block_size);
    call.phase("z_solve");
    solve<2>(call, state, line, shape.lines_z, shape.block_size_z);
  }
  call.phase("verify");
  flow.put_results(call, stream);
  call.phase("");
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return DeviceFlow::bytes(points(problem)) + 8 * Grid::aligned(points(problem)).size();
}

// More shared memory than a kernel has by default, or why not.
template <int L>
const char* allow_shared(std::size_t bytes) {
  for (const void* kernel :
       {reinterpret_cast<const void*>(solve_lines<0, L>), reinterpret_cast<const void*>(solve_lines<1, L>),
        reinterpret_cast<const void*>(solve_lines<2, L>)})
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)) !=
        cudaSuccess) {
      cudaGetLastError();
      return "a multiprocessor has less shared memory than the lines of a block need";
    }
  return nullptr;
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  const char* why_not = nullptr;
  for (const int lines : {shape.lines, shape.lines_z})
    Lines::with(lines, [&]<int L>() {
      if (!why_not) why_not = allow_shared<L>(shared_of(call.problem, L));
    });
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

const char* refuse_block(const Problem& problem, int lines, int block_size) {
  const char* why_not = nullptr;
  Lines::with(lines, [&]<int L>() {
    if (solvers < L >> block_size) why_not = "a block has fewer threads than its lines' systems need";
  });
  if (why_not) return why_not;
  return shared_of(problem, lines) > most_shared ? "a block's lines do not fit in shared memory" : nullptr;
}

const char* constraint(const Problem& problem, const Shape& shape) {
  const char* why_not = refuse_block(problem, shape.lines, shape.block_size);
  return why_not ? why_not : refuse_block(problem, shape.lines_z, shape.block_size_z);
}

// What won on an H100: eight lines, or as many as a block has room for; short lines in smaller blocks, of which more
// are resident; twice as many lines, with one block a multiprocessor, where half as many leave room for two. First blocks begin
// at different times where there are several turns.
void adapt(const Problem& problem, Shape& shape) {
  while (shape.lines > 2 && shared_of(problem, shape.lines) > most_shared) shape.lines /= 2;
  if (points(problem) <= 80) shape.block_size = 128;
  if (shape.lines < 8) shape.block_size = 512;
  if (shape.lines == 8 && points(problem) > 128 && shared_of(problem, 16) <= most_shared)
    shape.lines = 16, shape.block_size = 512;
  shape.lines_z = shape.lines, shape.block_size_z = shape.block_size;
  if (points(problem) > 80) shape.spread = 24;
}

}  // namespace

Variant npb_sp_cuda_lines() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "lines in shared memory, each system eliminated from both ends; all else fused";
  variant.tunables = tunables<Shape>({{"lines", &Shape::lines, Lines::list()},
                                      {"block_size", &Shape::block_size, {128, 256, 512}},
                                      {"lines_z", &Shape::lines_z, Lines::list()},
                                      {"block_size_z", &Shape::block_size_z, {128, 256, 512}},
                                      {"spread", &Shape::spread, {0, 8, 16, 24, 32}}});
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<constraint>;
  variant.adapt = by_name<adapt>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = by_name<workspace>;
  return variant;
}

}  // namespace sextant
