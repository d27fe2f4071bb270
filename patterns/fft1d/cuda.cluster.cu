#include "device_state.cuh"
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

struct State {
  void* factors = nullptr;
  int clusters = 0;  // that run at once
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
    const auto batches = static_cast<int>(fft1d::batches_of(call.problem));
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = launch_of<Plan, T>(std::min(batches, state.clusters), attribute);
    config.stream = stream_of(call);
    cudaLaunchKernelEx(&config, fft1d::transform_in_clusters<Plan, T>, batches,
                       call.array<const Complex<T>>(0), static_cast<const Complex<T>*>(state.factors),
                       call.array<Complex<T>>(1));
  });
}

// Allows the kernel what it needs, and asks how many clusters of it run at once.
template <typename T>
cudaError_t allow(const Problem& problem, int& clusters) {
  cudaError_t error = cudaSuccess;
  with_plan<T>(problem, [&]<typename Plan>() {
    const auto kernel = fft1d::transform_in_clusters<Plan, T>;
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(sizeof(fft1d::ClusterRoom<Plan, T>)));
    if (error == cudaSuccess && Plan::blocks > 8)
      error = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    cudaLaunchAttribute attribute = {};
    const cudaLaunchConfig_t config = launch_of<Plan, T>(1, attribute);
    if (error == cudaSuccess) error = cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
  });
  return error;
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  const cudaError_t error = call.problem.type == ElementType::float64
                                ? allow<double>(call.problem, mine->clusters)
                                : allow<float>(call.problem, mine->clusters);
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

const char* refuse(const Problem& problem, const int*) {
  const std::int64_t length = fft1d::length_of(problem);
  if (length < 8192 || length > 65536) return "a transform of less than 8192 or more than 65536 elements";
  return fft1d::batches_of(problem) > INT32_MAX / 2 ? "more transforms than clusters count" : nullptr;
}

}  // namespace

Variant fft1d_cuda_cluster() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "8192 to 65536 elements in the shared memory of a cluster of blocks that stays: one reading, one writing";
  variant.constraint = refuse;
  variant.unavailable = unavailable;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = fft1d::factor_bytes;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  return variant;
}

}  // namespace sextant
