// Measures all ceilings of a GPU (best bandwidths, rates and latencies), including transfers to and from the
// host.
#include <cuda_runtime_api.h>

#include <chrono>
#include <cstring>

#include "base/clock.hpp"
#include "machine/ceilings/cuda_detail.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

constexpr std::size_t large_bytes = std::size_t{256} << 20, small_bytes = 4;

// Returns the seconds of a copy. The host's clock times it, because the host itself moves pageable memory.
double copy_time(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, int samples) {
  gpu::require(cudaMemcpy(to, from, bytes, kind));
  std::vector<double> times;
  for (int sample = 0; sample < samples; ++sample) {
    const double start = now();
    gpu::require(cudaMemcpy(to, from, bytes, kind));
    // cudaMemcpy may return before a copy of a few bytes to the device is complete.
    gpu::require(cudaStreamSynchronize(nullptr));
    times.push_back(now() - start);
  }
  return median_of(times);
}

void measure_transfers(const std::string& method, char* host, void* device, CeilingList* list) {
  const auto pattern = [](std::size_t i) { return static_cast<char>(random_bits(3, i) >> 56); };
  for (std::size_t i = 0; i < large_bytes; i += 4096) host[i] = pattern(i);
  const double in = copy_time(device, host, large_bytes, cudaMemcpyHostToDevice, 5);
  for (std::size_t i = 0; i < large_bytes; i += 4096) host[i] = 0;
  const double out = copy_time(host, device, large_bytes, cudaMemcpyDeviceToHost, 5);
  bool right = true;
  for (std::size_t i = 0; i < large_bytes; i += 4096) right = right && host[i] == pattern(i);
  list->require(right, method + " copies changed the data");
  constexpr auto large = static_cast<std::int64_t>(large_bytes),
                 small = static_cast<std::int64_t>(small_bytes);
  list->add("h2d_" + method, static_cast<double>(large_bytes) / in, large);
  list->add("d2h_" + method, static_cast<double>(large_bytes) / out, large);
  list->add("h2d_" + method + "_latency", copy_time(device, host, small_bytes, cudaMemcpyHostToDevice, 101),
            small);
  list->add("d2h_" + method + "_latency", copy_time(host, device, small_bytes, cudaMemcpyDeviceToHost, 101),
            small);
}

// Array sizes in bytes. measure_transfers covers larger copies.
constexpr std::size_t copied_sizes[] = {std::size_t{4} << 10, std::size_t{64} << 10, std::size_t{256} << 10,
                                        std::size_t{1} << 20, std::size_t{4} << 20,  std::size_t{16} << 20,
                                        std::size_t{64} << 20};

void measure_transfers_over_sizes(const std::string& method, void* host, void* device, CeilingList* list) {
  for (const std::size_t bytes : copied_sizes) {
    const auto size = static_cast<std::int64_t>(bytes);
    list->add("h2d_" + method + "_time", copy_time(device, host, bytes, cudaMemcpyHostToDevice, 11), size);
    list->add("d2h_" + method + "_time", copy_time(host, device, bytes, cudaMemcpyDeviceToHost, 11), size);
  }
}

// Times cudaMalloc and cudaFree of one array by the host's clock.
void measure_allocation_over_sizes(CeilingList* list) {
  for (const std::size_t bytes : copied_sizes) {
    std::vector<double> allocated, released;
    for (int sample = 0; sample < 12; ++sample) {
      const double start = now();
      void* data = nullptr;
      gpu::require(cudaMalloc(&data, bytes));
      const double between = now();
      gpu::require(cudaFree(data));
      const double end = now();
      if (sample == 0) continue;  // the first sample takes longer than the others, so it is not used
      allocated.push_back(between - start);
      released.push_back(end - between);
    }
    list->add("alloc_cuda_time", median_of(allocated), static_cast<std::int64_t>(bytes));
    list->add("release_cuda_time", median_of(released), static_cast<std::int64_t>(bytes));
  }
}

}  // namespace

void measure_gpu_transfers(CeilingList* list) {
  const gpu::Buffer device(large_bytes);
  void* pinned = nullptr;
  gpu::require(cudaMallocHost(&pinned, large_bytes));
  try {
    measure_transfers("pinned", static_cast<char*>(pinned), device.as<void>(), list);
    measure_transfers_over_sizes("pinned", pinned, device.as<void>(), list);
  } catch (...) {
    cudaFreeHost(pinned);
    throw;
  }
  cudaFreeHost(pinned);
  std::vector<char> pageable(large_bytes, 1);
  measure_transfers("pageable", pageable.data(), device.as<void>(), list);
  measure_transfers_over_sizes("pageable", pageable.data(), device.as<void>(), list);
}

void measure_gpu_ceilings(int index, CeilingPart part, CeilingList* list) {
  std::string why_not;
  list->require(open_device(MemorySpace::cuda, index, &why_not) != nullptr, why_not);
  if (part == CeilingPart::bandwidth) {
    wake_gpu();
    return measure_gpu_bandwidth(list);
  }
  measure_gpu_rates(list);  // must come first, because it raises the GPU's clocks
  if (part == CeilingPart::all) measure_gpu_bandwidth(list);
  measure_gpu_launches(list);
  measure_gpu_transfers(list);
  measure_allocation_over_sizes(list);
}

}  // namespace sextant
