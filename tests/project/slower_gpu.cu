#include <cuda_runtime.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "slower_gpu.hpp"

namespace sextant {
namespace {

constexpr double own_seconds = 1e-6;  // GPU time of an empty kernel in seconds

__global__ void spin_for(unsigned long long nanoseconds) {
  unsigned long long began, time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(began));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  while (time - began < nanoseconds);
}

double seconds_of(const Function<void(const Call&)>& original, const Call& call) {
  const auto stream = static_cast<cudaStream_t>(call.stream);
  cudaEvent_t start, end;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  float least = 1e30f;
  for (int i = 0; i < 5; ++i) {
    cudaEventRecord(start, stream);
    original(call);
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, start, end);
    least = std::min(least, milliseconds);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  return least * 1e-3;
}

}  // namespace

void launch_longer_on_gpu(const Function<void(const Call&)>& original, const Call& call, double share) {
  if (share > 0) {
    static std::map<std::tuple<const void*, std::int64_t, std::int64_t>, double> known;
    const Extents& e = call.problem.extents;
    const auto [found, is_new] = known.try_emplace({&original, e.count(), call.problem.parameters[0]}, 0.0);
    if (is_new) found->second = seconds_of(original, call);
    original(call);
    const double extra = std::max(0.0, share * found->second - own_seconds);
    spin_for<<<1, 1, 0, static_cast<cudaStream_t>(call.stream)>>>(
        static_cast<unsigned long long>(extra * 1e9));
  } else {
    original(call);
  }
}

}  // namespace sextant
