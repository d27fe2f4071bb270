#include "packed.cuh"
#include "parts.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

// The straightforward implementation, in three launches. The first computes the final state of each chunk of
// text for each possible start state. The second finds the true start state of each chunk, in one block. The
// third computes the states within each chunk, one thread per chunk.
namespace enumerate {

struct Shape {
  int chunks = 16384, block_size = 256;
};

dfa::Parts parts_in(const Shape& shape) { return {shape.chunks}; }

__global__ void find_ends(std::int64_t blocks, std::int64_t parts, const unsigned char* __restrict__ table,
                          const unsigned char* __restrict__ text, unsigned char* ends) {
  const std::int64_t job = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (job < parts * dfa::states) dfa::find_end(blocks, parts, table, text, ends, job);
}

// One block finds the true start state of each chunk. Each thread composes the transition functions of a run
// of consecutive chunks. Then the start states of the runs are computed, and last those of the chunks.
constexpr int choosers = 512;
__global__ void __launch_bounds__(choosers)
    choose(std::int64_t parts, const unsigned char* ends, unsigned char* begins) {
  __shared__ unsigned char run_ends[choosers][dfa::states], run_begins[choosers];
  const std::int64_t run = (parts + choosers - 1) / choosers, begin = min(parts, threadIdx.x * run),
                     end = min(parts, begin + run);
  for (int q = 0; q < dfa::states; ++q) {
    int state = q;
    for (std::int64_t part = begin; part < end; ++part) state = ends[part * dfa::states + state];
    run_ends[threadIdx.x][q] = static_cast<unsigned char>(state);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    for (int t = 0, state = 0; t < choosers; ++t) {
      run_begins[t] = static_cast<unsigned char>(state);
      state = run_ends[t][state];
    }
  __syncthreads();
  int state = run_begins[threadIdx.x];
  for (std::int64_t part = begin; part < end; ++part) {
    begins[part] = static_cast<unsigned char>(state);
    state = ends[part * dfa::states + state];
  }
}

__global__ void walk_parts(std::int64_t blocks, std::int64_t parts, const unsigned char* __restrict__ table,
                           const unsigned char* __restrict__ text, const unsigned char* begins,
                           std::int32_t* state) {
  const std::int64_t part = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (part < parts) dfa::walk_part(blocks, parts, table, text, begins, state, part);
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const dfa::Task task(call);
  const std::int64_t parts = dfa::parts_of(call.problem, parts_in(shape)), jobs = parts * dfa::states;
  auto *ends = static_cast<unsigned char*>(call.state), *begins = ends + jobs;
  const int block = shape.block_size;
  const cudaStream_t stream = stream_of(call);
  find_ends<<<blocks_for(jobs, block), block, 0, stream>>>(task.blocks, parts, task.table, task.text, ends);
  choose<<<1, choosers, 0, stream>>>(parts, ends, begins);
  walk_parts<<<blocks_for(parts, block), block, 0, stream>>>(task.blocks, parts, task.table, task.text,
                                                             begins, task.state);
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return dfa::bytes_between(problem, parts_in(shape));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, call.tuned<Shape>()))) ==
      cudaSuccess)
    return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the final states of the chunks";
}

}  // namespace enumerate

namespace packed {

using Pieces = Choices<1, 2, 4, 8>;

struct Shape {
  int blocks_per_thread = 8;
};

std::int64_t tiles_of(const Problem& problem, const Shape& shape) {
  std::int64_t tiles = 0;
  Pieces::with(shape.blocks_per_thread,
               [&]<int pieces>() { tiles = dfa::packed_tiles<pieces>(dfa::blocks_of(problem)); });
  return tiles;
}

void launch(const Call& call) {
  Pieces::with(call.tuned<Shape>().blocks_per_thread, [&]<int pieces>() {
    dfa::launch_packed<pieces>(call, *static_cast<const lookback::Tickets*>(call.state), nullptr);
  });
}

// Chooses the tile size. Larger tiles need fewer look-back steps, but too few tiles leave multiprocessors
// idle.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t blocks = dfa::blocks_of(problem);
  shape.blocks_per_thread = blocks < 1 << 18 ? 1 : blocks < 1 << 20 ? 2 : blocks < 1 << 22 ? 4 : 8;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(tiles_of(problem, shape), sizeof(dfa::Packed));
}

const char* prepare(const Call& call, void** state) {
  return lookback::prepare_tickets(tiles_of(call.problem, call.tuned<Shape>()), sizeof(dfa::Packed), state);
}

}  // namespace packed

}  // namespace

std::vector<Variant> dfa_cuda() {
  return {
      {.name = "enumerate",
       .description =
           "the plain form: final states of each chunk for all start states, then true start states, then "
           "all states",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<enumerate::Shape>({{"chunks", &enumerate::Shape::chunks, dfa::part_counts},
                                       {"block_size", &enumerate::Shape::block_size, BlockSizes::list()}}),
       .launch = {.int32 = enumerate::launch},
       .prepare = enumerate::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<enumerate::workspace>},
      {.name = "packed",
       .description =
           "one launch: 64-bit transition functions, composed by byte permutations; decoupled look-back "
           "over tiles",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<packed::Shape>(
           {{"blocks_per_thread", &packed::Shape::blocks_per_thread, packed::Pieces::list()}}),
       .launch = {.int32 = packed::launch},
       .adapt = by_name<packed::adapt>,
       .prepare = packed::prepare,
       .release = lookback::release_tickets,
       .workspace = by_name<packed::workspace>},
  };
}

}  // namespace sextant
