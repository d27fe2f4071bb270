// Measures a GPU's rates of multiply-adds and integer operations, and the cost of a kernel launch.
#include <chrono>

#include "base/clock.hpp"
#include "machine/ceilings/cuda_detail.hpp"
#include "machine/gpu.hpp"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace {

constexpr int chains = 8, threads = 256, blocks_per_multiprocessor = 8;
constexpr int steps = 64;  // multiply-adds per chain and round; enough to hide the loop's own cost

// Iterates x = x * factor + term in independent dependency chains. With factor 1/2 and term 1, x converges to
// 2.
template <typename T>
__global__ void __launch_bounds__(threads) multiply_add(T factor, T term, int rounds, T* sums) {
  T x[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) x[i] = static_cast<T>(1) + static_cast<T>(threadIdx.x) * static_cast<T>(i);
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int step = 0; step < steps; ++step)
#pragma unroll
      for (int i = 0; i < chains; ++i) x[i] = x[i] * factor + term;
  }
  T sum = 0;
#pragma unroll
  for (int i = 0; i < chains; ++i) sum += x[i];
  sums[blockIdx.x * threads + threadIdx.x] = sum;
}

// Iterates x = (x + term) xor mask in independent dependency chains. If `multiplied` is true, x * factor +
// term replaces the sum. With factor 1 and a mask of ones, two iterations restore x.
template <bool multiplied>
__global__ void __launch_bounds__(threads)
    add_xor(unsigned factor, unsigned term, unsigned mask, int rounds, unsigned* sums) {
  unsigned x[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) x[i] = threadIdx.x + static_cast<unsigned>(i);
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int step = 0; step < steps; ++step)
#pragma unroll
      for (int i = 0; i < chains; ++i) x[i] = (multiplied ? x[i] * factor + term : x[i] + term) ^ mask;
  }
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < chains; ++i) sum += x[i] - threadIdx.x;
  sums[blockIdx.x * threads + threadIdx.x] = sum;
}

// Adds up products of an 8x4 and a 4x8 matrix on the tensor cores. All elements are one, so every element of
// the sum grows by 4 per product.
__global__ void __launch_bounds__(threads) multiply_add_matrix(int rounds, double* sums) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  double d[chains][2] = {};
  const double a = 1, b = 1;
  for (int round = 0; round < rounds; ++round)
  #pragma unroll
    for (int i = 0; i < chains; ++i)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                   : "+d"(d[i][0]), "+d"(d[i][1])
                   : "d"(a), "d"(b));
  double sum = 0;
  for (int i = 0; i < chains; ++i) sum += d[i][0] + d[i][1];
  sums[blockIdx.x * threads + threadIdx.x] = sum;
#endif
}

// Does the same with Hopper's larger matrices, 16x16 times 16x8. Every element of the sum grows by 16 per
// product.
constexpr int large_chains = 4;
__global__ void __launch_bounds__(threads) multiply_add_large_matrix(int rounds, double* sums) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  double d[large_chains][4] = {};
  const double a = 1, b = 1;
  for (int round = 0; round < rounds; ++round)
  #pragma unroll
    for (int i = 0; i < large_chains; ++i)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%4,%4,%4,%4,%4,%4,%4}, "
          "{%5,%5,%5,%5}, {%0,%1,%2,%3};"
          : "+d"(d[i][0]), "+d"(d[i][1]), "+d"(d[i][2]), "+d"(d[i][3])
          : "d"(a), "d"(b));
  double sum = 0;
  for (int i = 0; i < large_chains; ++i) sum += d[i][0] + d[i][1] + d[i][2] + d[i][3];
  sums[blockIdx.x * threads + threadIdx.x] = sum;
#endif
}

// Adds up products of 16x16 and 16x8 bfloat16 matrices in float precision. The elements are 1 and 2^-10, so
// every element of the sum grows by 2^-6 per product. The sum is exact up to 2^24 products.
constexpr float half_growth = 0x1p-6f;
__global__ void __launch_bounds__(threads) multiply_add_half_matrix(int rounds, double* sums) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  float d[chains][4] = {};
  const unsigned a = 0x3F803F80u, b = 0x3A803A80u;
  for (int round = 0; round < rounds; ++round)
  #pragma unroll
    for (int i = 0; i < chains; ++i)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, "
          "{%0,%1,%2,%3};"
          : "+f"(d[i][0]), "+f"(d[i][1]), "+f"(d[i][2]), "+f"(d[i][3])
          : "r"(a), "r"(b));
  double sum = 0;
  for (int i = 0; i < chains; ++i) sum += static_cast<double>(d[i][0]) + d[i][1] + d[i][2] + d[i][3];
  sums[blockIdx.x * threads + threadIdx.x] = sum;
#endif
}

__global__ void nothing() {}
__global__ void count_launch(int* counter) { *counter += 1; }

template <typename T>
bool all_are(const gpu::Buffer& buffer, int count, T expected) {
  std::vector<T> values(static_cast<std::size_t>(count));
  gpu::require(
      cudaMemcpy(values.data(), buffer.as<void>(), sizeof(T) * values.size(), cudaMemcpyDeviceToHost));
  for (T value : values)
    if (value != expected) return false;
  return true;
}

constexpr double aim = 3e-3;  // seconds per sample; enough to hide the cost of the launch

// Returns the seconds of one round in launch(rounds). Doubles *rounds until a sample takes `aim` seconds.
template <typename Launch>
double time_per_round(const gpu::Timer& timer, int* rounds, const Launch& launch) {
  *rounds = 64;
  for (double once = timer.once([&] { launch(*rounds); }); once < aim;
       once = timer.once([&] { launch(*rounds); }))
    *rounds *= 2;
  return timer.median(7, [&] { launch(*rounds); }) / *rounds;
}

template <typename T>
void measure_multiply_add(const char* name, int blocks, CeilingList* list) {
  const gpu::Timer timer;
  const gpu::Buffer sums(sizeof(T) * static_cast<std::size_t>(blocks * threads));
  int rounds = 0;
  const double time = time_per_round(timer, &rounds, [&](int count) {
    multiply_add<T><<<static_cast<unsigned>(blocks), threads>>>(T(0.5), T(1), count, sums.as<T>());
  });
  list->require(all_are<T>(sums, blocks * threads, T(2) * chains),
                std::string(name) + " left a wrong result");
  list->add(name, 2.0 * steps * chains * threads * blocks / time);
}

template <bool multiplied>
double integer_rate(int blocks, CeilingList* list) {
  const gpu::Timer timer;
  const gpu::Buffer sums(sizeof(unsigned) * static_cast<std::size_t>(blocks * threads));
  int rounds = 0;
  const double time = time_per_round(timer, &rounds, [&](int count) {
    add_xor<multiplied>
        <<<static_cast<unsigned>(blocks), threads>>>(1u, 12345u, ~0u, count, sums.as<unsigned>());
  });
  list->require(all_are<unsigned>(sums, blocks * threads, chains * (chains - 1) / 2),
                "int32 left a wrong result");
  return 2.0 * steps * chains * threads * blocks / time;
}

void measure_matrix_units(int blocks, int capability, CeilingList* list) {
  if (capability < 80) return;
  const gpu::Timer timer;
  const gpu::Buffer sums(sizeof(double) * static_cast<std::size_t>(blocks * threads));
  const double warps = blocks * threads / 32.0;
  int rounds = 0;
  double time = time_per_round(timer, &rounds, [&](int count) {
    multiply_add_matrix<<<static_cast<unsigned>(blocks), threads>>>(count, sums.as<double>());
  });
  list->require(all_are(sums, blocks * threads, 4.0 * rounds * 2 * chains),
                "fp64_tensor left a wrong result");
  double best = 2.0 * 8 * 8 * 4 * chains * warps / time;
  if (capability >= 90 && capability < 100) {
    time = time_per_round(timer, &rounds, [&](int count) {
      multiply_add_large_matrix<<<static_cast<unsigned>(blocks), threads>>>(count, sums.as<double>());
    });
    list->require(all_are(sums, blocks * threads, 16.0 * rounds * 4 * large_chains),
                  "fp64_tensor left a wrong result");
    best = std::max(best, 2.0 * 16 * 8 * 16 * large_chains * warps / time);
  }
  list->add("fp64_tensor", best);
  time = time_per_round(timer, &rounds, [&](int count) {
    multiply_add_half_matrix<<<static_cast<unsigned>(blocks), threads>>>(count, sums.as<double>());
  });
  list->require(all_are(sums, blocks * threads, static_cast<double>(half_growth) * rounds * 4 * chains),
                "bf16_tensor left a wrong result");
  list->add("bf16_tensor", 2.0 * 16 * 8 * 16 * chains * warps / time);
}

double graph_time(const gpu::Timer& timer, int kernels) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  gpu::require(cudaStreamCreate(&stream));
  gpu::require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < kernels; ++i) nothing<<<1, 32, 0, stream>>>();
  gpu::require(cudaStreamEndCapture(stream, &graph));
  gpu::require(cudaGraphInstantiate(&ready, graph, 0));
  const double time = timer.median(9, [&] { gpu::require(cudaGraphLaunch(ready, nullptr)); });
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  return time / kernels;
}

}  // namespace

std::string gpu_code_obstacle() {
  cudaFuncAttributes attributes;
  const cudaError_t status = cudaFuncGetAttributes(&attributes, nothing);
  cudaGetLastError();
  return status == cudaSuccess ? "" : cudaGetErrorString(status);
}

void measure_gpu_rates(CeilingList* list) {
  const cudaDeviceProp properties = gpu::properties();
  const int blocks = multiprocessors() * blocks_per_multiprocessor;
  measure_multiply_add<float>("fp32", blocks, list);
  measure_multiply_add<double>("fp64", blocks, list);
  list->add("int32", std::max(integer_rate<false>(blocks, list), integer_rate<true>(blocks, list)));
  measure_matrix_units(blocks, properties.major * 10 + properties.minor, list);
}

void measure_gpu_launches(CeilingList* list) {
  const gpu::Timer timer;
  const gpu::Buffer counter(sizeof(int));
  constexpr int warm_up = 20, samples = 300, in_a_row = 1000;
  gpu::require(cudaMemset(counter.as<void>(), 0, sizeof(int)));
  std::vector<double> times;
  for (int i = 0; i < warm_up + samples; ++i) {
    const double start = now();
    count_launch<<<1, 1>>>(counter.as<int>());
    gpu::require(cudaStreamSynchronize(nullptr));
    if (i >= warm_up) times.push_back(now() - start);
  }
  int launches = 0;
  gpu::require(cudaMemcpy(&launches, counter.as<void>(), sizeof(int), cudaMemcpyDeviceToHost));
  list->require(launches == warm_up + samples, "launches were lost");
  list->add("launch_cuda", median_of(times));
  list->add("launch_cuda_interval", timer.median(9, [] {
    for (int i = 0; i < in_a_row; ++i) nothing<<<1, 32>>>();
  }) / in_a_row);
  list->add("launch_graph", graph_time(timer, in_a_row));
}

}  // namespace sextant
