#include "beside.hpp"
#include "device_state.cuh"
#include "in_cache_state.cuh"
#include "in_cluster.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using fft1d::Complex;
using Lengths = Choices<8192, 16384, 32768, 65536>;

// function.template operator()<Plan>() of the call's length.
template <typename T, typename Function>
void with_plan(const Problem& problem, const Function& function) {
  Lengths::with(static_cast<int>(fft1d::length_of(problem)),
                [&]<int length>() { function.template operator()<fft1d::InCluster<length / 4096, T>>(); });
}

// Clusters of 8 and 16 blocks leave multiprocessors free, which transform by two passes in the cache (in_cache.cuh) meanwhile: so many of
// 100 of the transforms that are theirs by how many they are.
struct Shape {
  int beside = 100;
};

template <typename Plan, typename T>
using Beside = fft1d::TwoPasses<fft1d::log2_of(Plan::length), T>;

struct State {
  fft1d::InCacheState shared;  // of the transforms beside clusters
  void* factors = nullptr;
  int clusters = 0, free = 0;  // clusters that run at once, and multiprocessors that these leave
  int beside = 0;              // transforms
  ~State() { cudaFree(factors); }
};

// The launch of so many clusters; `attribute` is to live as long.
template <typename Plan, typename T>
cudaLaunchConfig_t launch_of(int clusters, cudaLaunchAttribute& attribute) {
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(Plan::blocks), 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(clusters * Plan::blocks));
  config.blockDim = dim3(Plan::threads);
  config.dynamicSmemBytes = sizeof(fft1d::ClusterRoom<Plan, T>);
  config.attrs = &attribute;
  config.numAttrs = 1;
  return config;
}

template <typename T>
void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  with_plan<T>(call.problem, [&]<typename Plan>() {
    const auto* const x = call.array<const Complex<T>>(0);
    auto* const X = call.array<Complex<T>>(1);
    const int batches = static_cast<int>(fft1d::batches_of(call.problem)) - state.beside;
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = launch_of<Plan, T>(std::min(batches, state.clusters), attribute);
    config.stream = stream_of(call);
    CUtensorMap map;
    fft1d::describe_parts(x, Plan::columns, batches, &map);
    cudaLaunchKernelEx(&config, fft1d::transform_in_clusters<Plan, T>, batches, map,
                       static_cast<const Complex<T>*>(state.factors), X);
    const std::int64_t first = std::int64_t{batches} * Plan::length;
    using Two = Beside<Plan, T>;
    if (state.beside > 0)
      state.shared.launch<Two>(state.beside, state.free * Two::resident * 6 / 5, true, config.stream,
                               x + first, state.factors, X + first);
  });
}

// Asks how many clusters of the call's kernel run at once, allows it what it needs, and shares out transforms.
template <typename T>
cudaError_t make(const Call& call, State& state) {
  cudaError_t error = cudaSuccess;
  with_plan<T>(call.problem, [&]<typename Plan>() {
    const auto kernel = fft1d::transform_in_clusters<Plan, T>;
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(sizeof(fft1d::ClusterRoom<Plan, T>)));
    if (error == cudaSuccess && Plan::blocks > 8)
      error = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    cudaLaunchAttribute attribute = {};
    const cudaLaunchConfig_t config = launch_of<Plan, T>(1, attribute);
    if (error == cudaSuccess) error = cudaOccupancyMaxActiveClusters(&state.clusters, kernel, &config);
    if (error != cudaSuccess || Plan::blocks < 8) return;
    const int taken = state.clusters * Plan::blocks / Plan::resident;
    state.free = std::max(multiprocessors() - taken, 0);
    state.beside = fft1d::transforms_beside(fft1d::batches_of(call.problem), state.clusters, taken,
                                            state.free, call.tuned<Shape>().beside);
    if (state.beside > 0) error = state.shared.make<Beside<Plan, T>, T>(state.beside);
  });
  return error;
}

// Whether the copy engine takes the call's rows.
template <typename T>
bool can_describe(const Call& call) {
  CUtensorMap map;
  return fft1d::describe_parts(call.array<const Complex<T>>(0), 256, 1, &map);
}

const char* prepare(const Call& call, void** state) {
  if (!(call.problem.type == ElementType::float64 ? can_describe<double>(call) : can_describe<float>(call)))
    return "the driver does not describe the rows to the copy engine";
  auto* mine = new State;
  const cudaError_t error =
      call.problem.type == ElementType::float64 ? make<double>(call, *mine) : make<float>(call, *mine);
  const char* problem =
      error == cudaSuccess && mine->clusters > 0
          ? fft1d::prepare_factors(call, fft1d::factor_bytes(call.problem, nullptr), &mine->factors)
          : "more shared memory, or larger clusters, than this GPU has";
  if (!problem) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // it must not be found by a later check
  delete mine;
  return problem;
}

const char* unavailable() {
  return compute_capability() < 9 ? "clusters of blocks need compute capability 9.0 or later" : nullptr;
}

const char* refuse(const Problem& problem, const Shape&) {
  const std::int64_t length = fft1d::length_of(problem);
  if (length < 8192 || length > 65536) return "a transform of less than 8192 or more than 65536 elements";
  return fft1d::batches_of(problem) > INT32_MAX / 2 ? "more transforms than clusters count" : nullptr;
}

std::int64_t workspace(const Problem& problem, const int*) {
  return fft1d::factor_bytes(problem, nullptr) + fft1d::InCacheState::bytes(fft1d::batches_of(problem));
}

}  // namespace

std::vector<Variant> fft1d_cuda_cluster() {
  return {
      {.name = "cluster",
       .description =
           "8192 to 65536 elements in the shared memory of a cluster of blocks that stays: one reading, one writing",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Shape>({{"beside", &Shape::beside, {0, 80, 100, 120}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(launch),
       .constraint = by_name<refuse>,
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<State*>(state); },
       .workspace = workspace,
       .unavailable = unavailable}};
}

}  // namespace sextant
