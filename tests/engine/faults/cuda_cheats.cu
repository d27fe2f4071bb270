#include <cuda_runtime.h>

#include <map>

#include "costly.hpp"
#include "faults/cheats.hpp"

namespace sextant {
namespace {

using cheating::costly;
using cheating::is_written;

struct Arguments {
  std::int64_t n;
  float *a, *c;
  cudaStream_t stream;
  explicit Arguments(const Call& call)
      : n(call.problem.extents.x),
        a(call.array<float>(0)),
        c(call.array<float>(1)),
        stream(static_cast<cudaStream_t>(call.stream)) {}
  int blocks() const { return static_cast<int>((n + 255) / 256); }
};

__global__ void compute_all(std::int64_t n, const float* a, float* c, bool skips) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= n || (skips && is_written(c[i]))) return;
  c[i] = costly(a[i]);
}

void compute(const Arguments& x, bool skips) {
  compute_all<<<x.blocks(), 256, 0, x.stream>>>(x.n, x.a, x.c, skips);
}
void honest(const Call& call) { compute(Arguments(call), false); }
void already_there(const Call& call) { compute(Arguments(call), true); }

// Copies the first answer that it computed for this size.
void keeps_its_first(const Call& call) {
  static std::map<std::int64_t, float*> answers;
  const Arguments x(call);
  const std::size_t bytes = static_cast<std::size_t>(x.n) * sizeof(float);
  float*& answer = answers[x.n];
  if (answer) {
    cudaMemcpyAsync(x.c, answer, bytes, cudaMemcpyDeviceToDevice, x.stream);
    return;
  }
  compute(x, false);
  cudaMalloc(&answer, bytes);
  cudaMemcpyAsync(answer, x.c, bytes, cudaMemcpyDeviceToDevice, x.stream);
}

// Computes after waiting for a millisecond.
__global__ void compute_later(std::int64_t n, const float* a, float* c) {
  for (int i = 0; i < 1000; ++i) __nanosleep(1000);
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < n) c[i] = costly(a[i]);
}

// Computes on its own stream; the engine waits only for the stream that it passed in.
void on_its_own_stream(const Call& call) {
  static cudaStream_t own = [] {
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    return stream;
  }();
  const Arguments x(call);
  compute_later<<<x.blocks(), 256, 0, own>>>(x.n, x.a, x.c);
}

}  // namespace

std::vector<Variant> cuda_cheats() {
  std::vector<Variant> variants;
  const std::pair<const char*, void (*)(const Call&)> cheats[] = {{"baseline", honest},
                                                                  {"already_there", already_there},
                                                                  {"keeps_its_first", keeps_its_first},
                                                                  {"on_its_own_stream", on_its_own_stream}};
  for (const auto& [name, launch] : cheats) {
    Variant variant;
    variant.name = name;
    variant.model = Model::cuda;
    variant.memory_space = MemorySpace::cuda;
    variant.launch.float32 = launch;
    variants.push_back(variant);
  }
  return variants;
}

}  // namespace sextant
