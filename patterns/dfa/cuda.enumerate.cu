// The form one writes first, in three launches: a thread a part and state before it; a block that goes from part to part; a thread
// a part. A part is read by single bytes.
#include "parts.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Shape {
  int parts = 16384, block_size = 256;
};

dfa::Parts parts_in(const Shape& shape) { return {shape.parts}; }

__global__ void find_ends(std::int64_t blocks, std::int64_t parts, const unsigned char* __restrict__ table,
                          const unsigned char* __restrict__ text, unsigned char* ends) {
  const std::int64_t job = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (job < parts * dfa::states) dfa::find_end(blocks, parts, table, text, ends, job);
}

// Parts in runs, a thread each: where a run's 16 states lead, then which it is, then the states before its parts.
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
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for where the parts' states lead";
}

}  // namespace

Variant dfa_cuda_enumerate() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "the form one writes first: a thread a part and state before it, a block that chooses, a thread a part";
  variant.tunables = tunables<Shape>(
      {{"parts", &Shape::parts, dfa::part_counts}, {"block_size", &Shape::block_size, BlockSizes::list()}});
  variant.launch.int32 = launch;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
