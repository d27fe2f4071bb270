#include <algorithm>
#include <cstring>
#include <fstream>
#include <thread>

#include "device/device.hpp"
#include "device/host/free_memory.hpp"
#include "device/open.hpp"

namespace sextant {
namespace {

// Returns the bytes of the largest cache that Linux reports for the first processor, or 32 MiB if it reports
// none.
std::size_t last_level_cache() {
  std::size_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    std::size_t kibibytes = 0;
    if (file >> kibibytes) largest = std::max(largest, kibibytes * 1024);
  }
  return largest ? largest : std::size_t{32} << 20;
}

class HostDevice : public Device {
 public:
  MemorySpace memory_space() const override { return MemorySpace::host; }
  void* map(void* host, std::size_t) override { return host; }
  void unmap(void*, std::size_t) override {}
  void copy_in(void*, const void*, std::size_t) override {}
  void copy_out(void*, void*, std::size_t) override {}
  void fill(void* device_copy, unsigned char byte, std::size_t bytes) override {
    std::memset(device_copy, byte, bytes);
  }

  void flush_caches() override {
    if (flush_.empty()) flush_.resize(2 * last_level_cache() / sizeof(std::uint64_t));
    std::uint64_t* data = flush_.data();
    const auto count = static_cast<std::int64_t>(flush_.size());
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i) data[i] += 1;
  }

  std::size_t free_memory() const override {
    constexpr auto unknown = static_cast<std::size_t>(-1);
    return std::min(free_host_memory().value_or(unknown), free_addresses().value_or(unknown));
  }

 private:
  std::vector<std::uint64_t> flush_;
};

}  // namespace

std::unique_ptr<Device> open_host_device() { return std::make_unique<HostDevice>(); }

std::unique_ptr<Device> open_device(MemorySpace memory_space, int index, std::string* why_not) {
  switch (memory_space) {
    case MemorySpace::host:
      return open_host_device();
    case MemorySpace::cuda:
      return open_cuda_device(index, why_not);
    case MemorySpace::openacc:
      return open_openacc_device(index, why_not);
    case MemorySpace::target:
      return open_target_device(index, why_not);
    case MemorySpace::partitioned:
      *why_not =
          "it runs in several ranks or partitions: name the devices with -d, e.g. -d 2xcpu or, on GPUs, "
          "-d gpu0-1";
      return nullptr;
  }
  return nullptr;
}

}  // namespace sextant
