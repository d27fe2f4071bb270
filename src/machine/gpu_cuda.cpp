#include <cuda_runtime_api.h>

#include <cstdio>

#include "device/cuda/missing_gpu.hpp"
#include "device/cuda/partition.hpp"
#include "machine/energy.hpp"
#include "machine/gpu.hpp"
#include "machine/nvml.hpp"

namespace sextant {
namespace {

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char byte[3];
    std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    text += byte;
    if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
  }
  return text;
}

std::string bus_of(int index) {
  char bus[32] = {};
  return cudaDeviceGetPCIBusId(bus, sizeof bus, index) == cudaSuccess ? bus : "";
}

}  // namespace

std::string cuda_runtime_version() { return cuda_release(CUDART_VERSION); }

std::string cuda_driver_version() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess ? cuda_release(version) : "";
}

std::vector<GpuInfo> find_gpus(std::string* why_not) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (why_not && (status != cudaSuccess || count == 0)) *why_not = why_no_gpu(status);
  std::vector<GpuInfo> gpus;
  for (int index = 0; status == cudaSuccess && index < count; ++index) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, index) != cudaSuccess) continue;
    GpuInfo gpu;
    gpu.index = index;
    gpu.name = properties.name;
    gpu.uuid = uuid_text(properties.uuid);
    gpu.bus_id = bus_of(index);
    gpu.multiprocessors = properties.multiProcessorCount;
    if (const int part = multiprocessors_asked(); part > 0) {
      gpu.whole_multiprocessors = gpu.multiprocessors;
      gpu.multiprocessors = part;
    }
    gpu.compute_capability = properties.major * 10 + properties.minor;
    gpu.memory = static_cast<std::int64_t>(properties.totalGlobalMem);
    gpu.l2_cache = properties.l2CacheSize;
    gpu.shared_memory_per_block = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
    gpu.shared_memory_per_multiprocessor = static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor);
    gpu.registers_per_multiprocessor = properties.regsPerMultiprocessor;
    gpu.threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
    gpu.blocks_per_multiprocessor = properties.maxBlocksPerMultiProcessor;
    gpu.max_threads_per_block = properties.maxThreadsPerBlock;
    gpus.push_back(gpu);
  }
  return gpus;
}

std::string peers_of_gpu(int index, int gpus) {
  std::string peers;
  for (int other = 0; other < gpus; ++other) {
    int can = 0;
    if (other == index || cudaDeviceCanAccessPeer(&can, index, other) != cudaSuccess || !can) continue;
    peers += (peers.empty() ? "" : ",") + std::to_string(other);
  }
  cudaGetLastError();
  return peers.empty() ? "none" : peers;
}

GpuState read_gpu_state(int index) { return nvml::read_state(bus_of(index), index); }

std::optional<double> gpu_energy(int index) { return nvml::read_energy(bus_of(index), index); }

std::optional<double> gpu_utilisation(int index) { return nvml::read_utilisation(bus_of(index), index); }

std::optional<int> other_programs_on_gpu(int index) { return nvml::other_processes(bus_of(index), index); }

}  // namespace sextant
