// One launch, whose blocks wait for each other after each map. All of them run at once, by a cooperative launch; who has waited for
// long all the same gives up.
#include "maps.cuh"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/patience.cuh"

namespace sextant {
namespace {

using namespace map_chain;

struct Shape {
  int block_size = 512, blocks = 132;
};

struct State {
  WaitFlag flag;
  unsigned* arrivals = nullptr;  // on the device
};

// Waits until all blocks have arrived as often as this one.
__device__ __forceinline__ void wait_for_all(unsigned* arrivals, unsigned times, Patience& patience) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned all = times * gridDim.x;
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrivals) : "memory");
    unsigned arrived = 0;
    while (patience.peeks > 0) {
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(arrivals) : "memory");
      if (arrived >= all) break;
      if (--patience.peeks == 0) patience.give_up();
    }
  }
  __syncthreads();
}

template <typename T>
__global__ void map_persistent(std::int64_t n, std::int64_t steps, const T* x, const T* y0, T* y,
                               unsigned* arrivals, Patience patience) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x,
                     threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t t = 0; t < steps; ++t) {
    if (t > 0) wait_for_all(arrivals, static_cast<unsigned>(t), patience);
    for (std::int64_t v = first; v * vector_length<T> < n; v += threads)
      map_vector(n, v, t, 1, x, t == 0 ? y0 : y, y);
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto* state = static_cast<const State*>(call.state);
  cudaMemsetAsync(state->arrivals, 0, sizeof(unsigned), stream_of(call));
  std::int64_t n = call.problem.extents.x, steps = steps_of(call.problem);
  const T *x = call.array<const T>(0), *y0 = call.array<const T>(1);
  T* y = call.array<T>(2);
  unsigned* arrivals = state->arrivals;
  Patience patience = state->flag.patience();
  void* arguments[] = {&n, &steps, &x, &y0, &y, &arrivals, &patience};
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(map_persistent<T>),
                              dim3(static_cast<unsigned>(shape.blocks)),
                              dim3(static_cast<unsigned>(shape.block_size)), arguments, 0, stream_of(call));
}

void release(void* of) {
  auto* state = static_cast<State*>(of);
  cudaFree(state->arrivals);
  delete state;
}

const char* prepare(const Call&, void** state) {
  auto* mine = new State;
  if (mine->flag.make() == cudaSuccess && cudaMalloc(&mine->arrivals, sizeof(unsigned)) == cudaSuccess) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // an error that is reported must not be found by a later check
  release(mine);
  return "no device memory for what blocks tell each other";
}

const char* refuse(const Problem&, const Shape& shape) {
  const std::int64_t threads = std::int64_t{shape.blocks} * shape.block_size;
  return shape.blocks > 2 * multiprocessors() || threads > std::int64_t{2048} * multiprocessors()
             ? "more blocks than can run at once, which wait for each other"
             : nullptr;
}

// A vector a thread, as long as there is room.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t length = problem.type == ElementType::float64 ? 2 : 4,
                     vectors = (problem.extents.x + length - 1) / length;
  for (const int blocks : {1, 4, 16, 33, 66, 132, 264}) {
    if (blocks > 2 * multiprocessors()) break;
    shape.blocks = blocks;
    if (std::int64_t{blocks} * shape.block_size >= vectors) break;
  }
}

}  // namespace

Variant map_chain_cuda_persistent() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "one launch, whose blocks wait for each other after each map";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, {128, 256, 512, 1024}},
                                      {"blocks", &Shape::blocks, {1, 4, 16, 33, 66, 132, 264}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.prepare = prepare;
  variant.release = release;
  variant.workspace = [](const Problem&, const int*) { return static_cast<std::int64_t>(sizeof(unsigned)); };
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
