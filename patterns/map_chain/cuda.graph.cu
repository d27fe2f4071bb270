// The launches of cuda.stream, or those of cuda.dependent_launch, recorded as one graph before.
#include "maps.cuh"

namespace sextant {
namespace {

struct Shape {
  int block_size = 256, dependent = 1;
};

struct Recorded {
  cudaGraphExec_t graph = nullptr;
  const void* arrays[3] = {};  // that it was recorded with

  bool is_of(const Call& call) const { return graph && std::equal(arrays, arrays + 3, call.arrays); }
};

template <typename T>
void launch_all(const Call& call) {
  const auto shape = call.tuned<Shape>();
  map_chain::launch_maps<T>(call, shape.block_size, shape.dependent != 0);
}

// Relaxed, since a kernel's first launch loads it.
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
  std::copy(call.arrays, call.arrays + 3, recorded->arrays);
  cudaStream_t stream = nullptr;
  cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (error == cudaSuccess) error = record(call, stream, &recorded->graph);
  if (stream) cudaStreamDestroy(stream);
  if (error == cudaSuccess) {
    *state = recorded;
    return nullptr;
  }
  cudaGetLastError();  // an error that is reported must not be found by a later check
  release(recorded);
  return "the launches could not be recorded as a graph";
}

template <typename T>
void launch(const Call& call) {
  const auto* recorded = static_cast<const Recorded*>(call.state);
  if (recorded->is_of(call))
    cudaGraphLaunch(recorded->graph, stream_of(call));
  else
    launch_all<T>(call);
}

}  // namespace

Variant map_chain_cuda_graph() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a launch a map, all of them recorded as one graph before";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, map_chain::Blocks::list()},
                                      {"dependent", &Shape::dependent, {0, 1}}});
  variant.constraint = [](const Problem&, const int* tuning) {
    return values_of<Shape>(tuning).dependent ? map_chain::lacks_dependent_launches() : nullptr;
  };
  variant.adapt = [](const Problem&, int* tuning) {
    if (map_chain::lacks_dependent_launches()) tuning[1] = 0;
  };
  variant.prepare = prepare;
  variant.release = release;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
