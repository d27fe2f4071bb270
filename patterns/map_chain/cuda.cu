#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/poll_limit.cuh"
#include "toolbox/cuda/vector.cuh"

// Helpers of the CUDA variants: apply maps to 16-byte vectors in registers, or launch one kernel per map.
namespace sextant::map_chain {

// Applies maps first … first + count - 1 to `length` elements. Odd-numbered maps subtract x. They are written
// as fma with -x, because the compiler would turn a product minus a number into two instructions.
template <typename T, int length>
__device__ __forceinline__ void apply_in_registers(std::int64_t first, std::int64_t count,
                                                   Vector<T, length>& x, Vector<T, length>& y) {
  if (first % 2 != 0)
#pragma unroll
    for (int k = 0; k < length; ++k) x[k] = -x[k];
  const auto pairs = static_cast<int>(count / 2);
#pragma unroll 10
  for (int p = 0; p < pairs; ++p)
#pragma unroll
    for (int k = 0; k < length; ++k) {
      const T once = fma(T(0.5), y[k], x[k]);
      y[k] = fma(T(0.5), once, -x[k]);
    }
  if (count % 2 != 0)
#pragma unroll
    for (int k = 0; k < length; ++k) y[k] = fma(T(0.5), y[k], x[k]);
}

// Applies `count` maps, starting with number `first`, to vector v of the arrays. If v is beyond the last
// whole vector, applies them to the remaining elements. y may equal `from`.
template <typename T>
__device__ __forceinline__ void map_vector(std::int64_t n, std::int64_t v, std::int64_t first,
                                           std::int64_t count, const T* x, const T* from, T* y) {
  constexpr int length = vector_length<T>;
  const std::int64_t i = v * length;
  if (i + length <= n) {
    Vector<T, length> a = load<length>(x + i), b = load<length>(from + i);
    apply_in_registers(first, count, a, b);
    *reinterpret_cast<Vector<T, length>*>(y + i) = b;
  } else {
    for (std::int64_t k = i; k < n; ++k) {
      Vector<T, 1> a{{x[k]}}, b{{from[k]}};
      apply_in_registers(first, count, a, b);
      y[k] = b[0];
    }
  }
}

template <typename T>
std::int64_t vectors_of(const Problem& problem) {
  return (problem.extents.x + vector_length<T> - 1) / vector_length<T>;
}

template <typename T>
__global__ void map_all(std::int64_t n, std::int64_t t, const T* x, const T* from, T* y) {
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v * vector_length<T> < n) map_vector(n, v, t, 1, x, from, y);
}

// Applies map t (programmatic dependent launch: the kernel starts while the previous map is finishing). It
// loads x before it waits for the previous map, because no map writes x.
template <typename T>
__global__ void map_dependent(std::int64_t n, std::int64_t t, const T* x, const T* from, T* y) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  constexpr int length = vector_length<T>;
  const std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * length;
  const bool whole = i + length <= n;
  Vector<T, length> a{};
  if (whole) a = load<length>(x + i);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
  if (whole) {
    Vector<T, length> b = load<length>(from + i);
    apply_in_registers(t, 1, a, b);
    *reinterpret_cast<Vector<T, length>*>(y + i) = b;
  } else if (i < n) {
    map_vector(n, i / length, t, 1, x, from, y);
  }
}

// Launches one kernel per map. With `dependent`, each may start before the previous one has ended.
template <typename T>
void launch_maps(const Call& call, int block, bool dependent) {
  const T* x = call.array<const T>(0);
  T* y = call.array<T>(2);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks_for(vectors_of<T>(call.problem), block));
  config.blockDim = dim3(static_cast<unsigned>(block));
  config.stream = stream_of(call);
  config.attrs = &attribute;
  for (std::int64_t t = 0; t < steps_of(call.problem); ++t) {
    // the first launch has no predecessor in the chain and waits for all earlier work
    config.numAttrs = dependent && t > 0 ? 1 : 0;
    const T* from = t == 0 ? call.array<const T>(1) : y;
    cudaLaunchKernelEx(&config, dependent ? map_dependent<T> : map_all<T>, call.problem.extents.x, t, x, from,
                       y);
  }
}

inline const char* lacks_dependent_launches() {
  int device = 0, major = 9;
  if (cudaGetDevice(&device) == cudaSuccess)
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  return major < 9 ? "programmatic dependent launches need compute capability 9.0" : nullptr;
}

using Blocks = Choices<64, 128, 256, 512, 1024>;

struct Block {
  int block_size = 256;
};

inline Variant maps_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = description;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, Blocks::list()}});
  return variant;
}

}  // namespace sextant::map_chain

namespace sextant {
namespace {

using namespace map_chain;

namespace dependent_launch {

template <typename T>
void launch(const Call& call) {
  map_chain::launch_maps<T>(call, call.tuned<map_chain::Block>().block_size, true);
}

Variant form() {
  Variant variant = map_chain::maps_variant(
      "one launch per map, which may start before the previous one ends (programmatic "
      "dependent launch)");
  variant.unavailable = map_chain::lacks_dependent_launches;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace dependent_launch

// Each thread processes several vectors in sequence (software pipelining): it loads the next vector while it
// applies the maps to the current one.
namespace fused {

struct Shape {
  int block_size = 256, maps_per_launch = 10000, vectors_per_thread = 1;
};

template <typename T>
__global__ void map_fused(std::int64_t n, std::int64_t first, std::int64_t count, const T* x, const T* from,
                          T* y) {
  constexpr int length = vector_length<T>;
  const std::int64_t whole = n / length, threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v == 0 && whole * length < n)
    map_vector(n, whole, first, count, x, from, y);  // the elements after the last whole vector
  if (v >= whole) return;
  Vector<T, length> a = load<length>(x + v * length), b = load<length>(from + v * length);
  for (;;) {
    const std::int64_t next = v + threads;
    Vector<T, length> next_a{}, next_b{};
    if (next < whole) next_a = load<length>(x + next * length), next_b = load<length>(from + next * length);
    apply_in_registers(first, count, a, b);
    *reinterpret_cast<Vector<T, length>*>(y + v * length) = b;
    if (next >= whole) break;
    v = next, a = next_a, b = next_b;
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t n = call.problem.extents.x, steps = steps_of(call.problem);
  const std::int64_t threads = (n / vector_length<T> + shape.vectors_per_thread) / shape.vectors_per_thread;
  const T* x = call.array<const T>(0);
  T* y = call.array<T>(2);
  for (std::int64_t t = 0; t < steps; t += shape.maps_per_launch)
    map_fused<T><<<blocks_for(threads, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
        n, t, std::min<std::int64_t>(shape.maps_per_launch, steps - t), x,
        t == 0 ? call.array<const T>(1) : y, y);
}

// Chooses several vectors per thread if there are many more vectors than resident threads on an H200.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t vectors = problem.extents.x / (problem.type == ElementType::float64 ? 2 : 4);
  shape.vectors_per_thread = vectors > std::int64_t{132} * 2048 * 8 ? 8 : 1;
}

}  // namespace fused

// `prepare` records one launch per map as a CUDA graph, plain or with programmatic dependent launch.
namespace graph {

struct Shape {
  int block_size = 256, programmatic_launch = 1;
};

struct Recorded {
  cudaGraphExec_t graph = nullptr;
  const void* arrays[3] = {};  // addresses of the arrays that the graph was recorded with

  bool is_of(const Call& call) const {
    return graph && arrays[0] == call.address(0) && arrays[1] == call.address(1) &&
           arrays[2] == call.address(2);
  }
};

template <typename T>
void launch_all(const Call& call) {
  const auto shape = call.tuned<Shape>();
  map_chain::launch_maps<T>(call, shape.block_size, shape.programmatic_launch != 0);
}

// Records all launches as a graph. The capture mode is relaxed, because the first launch of a kernel may load
// its module, which stricter modes forbid.
cudaError_t record(const Call& call, cudaStream_t stream, cudaGraphExec_t* to) {
  Call on_stream = call;
  on_stream.stream = stream;
  if (const cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed)) return error;
  call.problem.type == ElementType::float64 ? launch_all<double>(on_stream) : launch_all<float>(on_stream);
  cudaGraph_t graph = nullptr;
  cudaError_t error = cudaStreamEndCapture(stream, &graph);
  if (error == cudaSuccess) error = cudaGraphInstantiate(to, graph, 0);
  if (graph) cudaGraphDestroy(graph);
  return error;
}

void release(void* state) {
  auto* recorded = static_cast<Recorded*>(state);
  if (recorded && recorded->graph) cudaGraphExecDestroy(recorded->graph);
  delete recorded;
}

const char* prepare(const Call& call, void** state) {
  auto* recorded = new Recorded;
  for (std::size_t i = 0; i < 3; ++i) recorded->arrays[i] = call.address(i);
  cudaStream_t stream = nullptr;
  cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (error == cudaSuccess) error = record(call, stream, &recorded->graph);
  if (stream) cudaStreamDestroy(stream);
  if (error == cudaSuccess) {
    *state = recorded;
    return nullptr;
  }
  cudaGetLastError();  // clear the error, so that a later check does not report it
  release(recorded);
  return "recording the launches as a CUDA graph failed";
}

template <typename T>
void launch(const Call& call) {
  const auto* recorded = static_cast<const Recorded*>(call.state);
  if (recorded->is_of(call))
    cudaGraphLaunch(recorded->graph, stream_of(call));
  else
    launch_all<T>(call);
}

}  // namespace graph

// One launch applies all maps; a barrier between all blocks follows each map. A cooperative launch keeps all
// blocks resident. A block that has waited too long gives up, so that an error does not hang the GPU.
namespace persistent {

struct Shape {
  int block_size = 512, blocks = 132;
};

struct State {
  WaitFlag flag;
  unsigned* arrivals = nullptr;  // counter of arrived blocks, in device memory
};

// Waits until all blocks have called this function `times` times. It is a barrier between all blocks.
__device__ __forceinline__ void wait_for_all(unsigned* arrivals, unsigned times, PollLimit& poll_limit) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned all = times * gridDim.x;
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrivals) : "memory");
    unsigned arrived = 0;
    while (poll_limit.peeks > 0) {
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(arrivals) : "memory");
      if (arrived >= all) break;
      if (--poll_limit.peeks == 0) poll_limit.give_up();
    }
  }
  __syncthreads();
}

template <typename T>
__global__ void map_persistent(std::int64_t n, std::int64_t steps, const T* x, const T* y0, T* y,
                               unsigned* arrivals, PollLimit poll_limit) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x,
                     threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t t = 0; t < steps; ++t) {
    if (t > 0) wait_for_all(arrivals, static_cast<unsigned>(t), poll_limit);
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
  PollLimit poll_limit = state->flag.poll_limit();
  void* arguments[] = {&n, &steps, &x, &y0, &y, &arrivals, &poll_limit};
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
  cudaGetLastError();  // clear the error, so that a later check does not report it
  release(mine);
  return "no device memory for the barrier between blocks";
}

const char* refuse(const Problem&, const Shape& shape) {
  const std::int64_t threads = std::int64_t{shape.blocks} * shape.block_size;
  return shape.blocks > 2 * multiprocessors() || threads > std::int64_t{2048} * multiprocessors()
             ? "not all blocks fit on this GPU at once: choose fewer blocks or a smaller block_size"
             : nullptr;
}

// Chooses one vector per thread, as long as all blocks can be resident.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t length = problem.type == ElementType::float64 ? 2 : 4,
                     vectors = (problem.extents.x + length - 1) / length;
  for (const int blocks : {1, 4, 16, 33, 66, 132, 264}) {
    if (blocks > 2 * multiprocessors()) break;
    shape.blocks = blocks;
    if (std::int64_t{blocks} * shape.block_size >= vectors) break;
  }
}

}  // namespace persistent

namespace stream {

template <typename T>
void launch(const Call& call) {
  map_chain::launch_maps<T>(call, call.tuned<map_chain::Block>().block_size, false);
}

Variant form() {
  Variant variant = map_chain::maps_variant("the plain form: one launch per map");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace stream

}  // namespace

std::vector<Variant> map_chain_cuda() {
  return {
      named("dependent_launch", dependent_launch::form()),
      {.name = "fused",
       .description =
           "maps_per_launch maps per launch on 16-byte vectors in registers; loads the next vector "
           "ahead",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<fused::Shape>(
           {{"block_size", &fused::Shape::block_size, Blocks::list()},
            {"maps_per_launch", &fused::Shape::maps_per_launch, {2, 10, 50, 10000}},
            {"vectors_per_thread", &fused::Shape::vectors_per_thread, {1, 2, 4, 8, 16, 32}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(fused::launch),
       .adapt = by_name<fused::adapt>},
      {.name = "graph",
       .description = "one launch per map, recorded in advance as a CUDA graph",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<graph::Shape>({{"block_size", &graph::Shape::block_size, map_chain::Blocks::list()},
                                   {"programmatic_launch", &graph::Shape::programmatic_launch, {0, 1}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(graph::launch),
       .constraint =
           [](const Problem&, const int* tuning) {
             return values_of<graph::Shape>(tuning).programmatic_launch
                        ? map_chain::lacks_dependent_launches()
                        : nullptr;
           },
       .adapt =
           [](const Problem&, int* tuning) {
             if (map_chain::lacks_dependent_launches()) tuning[1] = 0;
           },
       .prepare = graph::prepare,
       .release = graph::release},
      {.name = "persistent",
       .description = "one cooperative launch; all blocks synchronize after each map",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<persistent::Shape>(
           {{"block_size", &persistent::Shape::block_size, {128, 256, 512, 1024}},
            {"blocks", &persistent::Shape::blocks, {1, 4, 16, 33, 66, 132, 264}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(persistent::launch),
       .constraint = by_name<persistent::refuse>,
       .adapt = by_name<persistent::adapt>,
       .prepare = persistent::prepare,
       .release = persistent::release,
       .workspace = [](const Problem&, const int*) { return static_cast<std::int64_t>(sizeof(unsigned)); }},
      named("stream", stream::form()),
  };
}

}  // namespace sextant
