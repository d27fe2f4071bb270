#include <algorithm>
#include <cstring>
#include <fstream>
#include <thread>

#include "device/device.hpp"
#include "device/open.hpp"

namespace sextant {
namespace {

// Bytes of the largest cache that Linux names for the first processor; 32 MiB where it names none.
std::size_t last_level_cache() {
  std::size_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    std::size_t kibibytes = 0;
    if (file >> kibibytes) largest = std::max(largest, kibibytes * 1024);
  }
  return largest ? largest : std::size_t{32} << 20;
}

// Bytes that this process's control group may still take, or the largest number where nothing limits it.
// https://docs.kernel.org/admin-guide/cgroup-v2.html, memory.max and memory.current
std::size_t left_in_control_group() {
  std::size_t limit = 0, used = 0;
  if (!(std::ifstream("/sys/fs/cgroup/memory.max") >> limit))
    return static_cast<std::size_t>(-1);  // "max", or none
  if (!(std::ifstream("/sys/fs/cgroup/memory.current") >> used)) return static_cast<std::size_t>(-1);
  // The page cache counts as used but gives way.
  std::ifstream file("/sys/fs/cgroup/memory.stat");
  std::string key;
  for (std::size_t value = 0; file >> key >> value;)
    if (key == "inactive_file") used -= std::min(used, value);
  return limit - std::min(limit, used);
}

class HostDevice : public Device {
 public:
  Home home() const override { return Home::host; }
  void* map(void* host, std::size_t) override { return host; }
  void unmap(void*, std::size_t) override {}
  void copy_in(void*, const void*, std::size_t) override {}
  void copy_out(void*, void*, std::size_t) override {}
  void fill(void* mapped, unsigned char byte, std::size_t bytes) override {
    std::memset(mapped, byte, bytes);
  }

  void flush_caches() override {
    if (flush_.empty()) flush_.resize(2 * last_level_cache() / sizeof(std::uint64_t));
    std::uint64_t* data = flush_.data();
    const auto count = static_cast<std::int64_t>(flush_.size());
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i) data[i] += 1;
  }

  std::size_t free_memory() const override {
    std::ifstream file("/proc/meminfo");
    std::string key, unit;
    std::size_t kibibytes = 0;
    while (file >> key >> kibibytes >> unit)
      if (key == "MemAvailable:") return std::min(kibibytes * 1024, left_in_control_group());
    return 0;
  }

 private:
  std::vector<std::uint64_t> flush_;
};

}  // namespace

std::unique_ptr<Device> open_host_device() { return std::make_unique<HostDevice>(); }

std::unique_ptr<Device> open_device(Home home, int index, std::string* why_not) {
  switch (home) {
    case Home::host:
      return open_host_device();
    case Home::cuda:
      return open_cuda_device(index, why_not);
    case Home::openacc:
      return open_openacc_device(index, why_not);
    case Home::target:
      return open_target_device(index, why_not);
    case Home::ranks:
      *why_not = "it runs in parts: -d names where, e.g. -d 2xcpu or, on GPUs, gpu0-1";
      return nullptr;
  }
  return nullptr;
}

}  // namespace sextant
