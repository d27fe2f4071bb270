#include "lines.cuh"
#include "problem.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_sp;

using Lines = Choices<2, 4, 8, 16>;
using HalvesOfLines = Choices<2, 8>;

// Lines of a block and its threads, along x and along y and z; halves that a line is cut into: with more than two, a kernel of
// its own computes the right sides; spread: Ki cycles over which the first blocks begin.
struct Shape {
  int lines_x = 8, block_size_x = 256, lines = 8, block_size = 256, halves = 2, spread = 0;
};

// Calls body.template operator()<L, H>(); not where a system of a block's lines would take more than two warps.
template <typename Body>
void with_cut(int lines, int halves, const Body& body) {
  Lines::with(lines, [&]<int L>() {
    HalvesOfLines::with(halves, [&]<int H>() {
      if constexpr (L * H <= 2 * warp_size) body.template operator()<L, H>();
    });
  });
}

struct State {
  DeviceFlow flow;
  DeviceDoubles sound;
  int multiprocessors = 0;
};

std::size_t shared_of(const Problem& problem, int lines, int halves) {
  std::size_t bytes = 0;
  with_cut(lines, halves, [&]<int L, int H>() { bytes = shared_bytes<L, H>(points(problem)); });
  return bytes;
}

// Of a block, on compute capability 9.0; prepare asks the GPU at hand.
constexpr std::size_t most_shared = 227 * 1024;

template <int axis>
void solve(const Call& call, const State& state, const Line& line, int lines, int block_size) {
  const Grid& g = state.flow.grid;
  const auto shape = call.tuned<Shape>();
  const dim3 grid(blocks_for(g.n - 2, lines), static_cast<unsigned>(g.n - 2));
  with_cut(lines, shape.halves, [&]<int L, int H>() {
    const std::size_t bytes = shared_bytes<L, H>(g.n);
    const FirstTurn turn = {static_cast<unsigned>(state.multiprocessors * (most_shared / bytes)),
                            shape.spread};
    solve_lines<axis, L, H><<<grid, static_cast<unsigned>(block_size), bytes, stream_of(call)>>>(
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
  const Cover inside(g.n - 2);
  call.phase("reset");
  flow.reset(stream);
  for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
    if (shape.halves > 2) {
      call.phase("rhs");
      residual<<<inside.grid, inside.block, 0, stream>>>(g, time_step(call.problem), flow.u.data, flow.f.data,
                                                         flow.b.data, state.sound.data);
    }
    call.phase("x_solve");
    solve<0>(call, state, line, shape.lines_x, shape.block_size_x);
    call.phase("y_solve");
    solve<1>(call, state, line, shape.lines, shape.block_size);
    call.phase("z_solve");
    solve<2>(call, state, line, shape.lines, shape.block_size);
  }
  call.phase("verify");
  flow.put_results(call, stream);
  call.phase("");
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return DeviceFlow::bytes(points(problem)) + 8 * Grid::aligned(points(problem)).size();
}

// More shared memory than a kernel has by default, or why not.
template <int L, int H>
const char* allow_shared(std::size_t bytes) {
  for (const void* kernel : {reinterpret_cast<const void*>(solve_lines<0, L, H>),
                             reinterpret_cast<const void*>(solve_lines<1, L, H>),
                             reinterpret_cast<const void*>(solve_lines<2, L, H>)})
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
  for (const int lines : {shape.lines_x, shape.lines})
    with_cut(lines, shape.halves, [&]<int L, int H>() {
      if (!why_not) why_not = allow_shared<L, H>(shared_bytes<L, H>(points(call.problem)));
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

const char* refuse_block(const Problem& problem, int lines, int block_size, int halves) {
  const char* why_not = "a system of a block's lines would take more than two warps";
  with_cut(lines, halves, [&]<int L, int H>() {
    why_not = solvers<L, H> > block_size ? "a block has fewer threads than its lines' systems need"
              : points(problem) - 2 < Halves<L, H>::least ? "lines are too short for so many halves"
                                                          : nullptr;
  });
  if (why_not) return why_not;
  return shared_of(problem, lines, halves) > most_shared ? "a block's lines do not fit in shared memory"
                                                         : nullptr;
}

const char* constraint(const Problem& problem, const Shape& shape) {
  const char* why_not = refuse_block(problem, shape.lines_x, shape.block_size_x, shape.halves);
  return why_not ? why_not : refuse_block(problem, shape.lines, shape.block_size, shape.halves);
}

// What won on an H100: eight lines, or as many as a block has room for; short lines in smaller blocks, of which more
// are resident; twice as many lines, with one block a multiprocessor, where half as many leave room for two. On an H200, where
// eight do not fit: eight halves, and small blocks along x, where all of a line's points lie together. First blocks begin at
// different times where there are several turns.
void adapt(const Problem& problem, Shape& shape) {
  const auto fits = [&](int lines) { return shared_of(problem, lines, 2) <= most_shared; };
  while (shape.lines > 2 && !fits(shape.lines)) shape.lines /= 2;
  if (points(problem) <= 80) shape.block_size = 128;
  if (shape.lines == 8 && points(problem) > 128 && fits(16)) shape.lines = 16, shape.block_size = 512;
  shape.lines_x = shape.lines, shape.block_size_x = shape.block_size;
  if (shape.lines < 8) shape.halves = 8, shape.lines_x = 2, shape.block_size_x = 128, shape.block_size = 512;
  if (points(problem) > 80) shape.spread = 24;
}

}  // namespace

Variant npb_sp_cuda_lines() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "lines in shared memory, each system eliminated from several ends; all else fused";
  variant.tunables = tunables<Shape>({{"lines_x", &Shape::lines_x, Lines::list()},
                                      {"block_size_x", &Shape::block_size_x, {128, 256, 512}},
                                      {"lines", &Shape::lines, Lines::list()},
                                      {"block_size", &Shape::block_size, {128, 256, 512}},
                                      {"halves", &Shape::halves, HalvesOfLines::list()},
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
