#include "machine/gpu.hpp"

#include <cmath>
#include <cstdio>

#include "base/join.hpp"
#include "machine/nvml.hpp"

namespace sextant {
namespace {

class Section {
 public:
  Section(Environment* environment, int index)
      : environment_(environment), prefix_("gpu" + std::to_string(index) + ".") {}

  void put(const char* key, const std::string& value) const {
    if (!value.empty()) (*environment_)[prefix_ + key] = value;
  }
  void put(const char* key, const std::optional<std::int64_t>& value) const {
    if (value) put(key, std::to_string(*value));
  }
  void put(const char* key, const std::optional<int>& value) const {
    if (value) put(key, std::to_string(*value));
  }
  void put(const char* key, const std::optional<bool>& value) const {
    if (value) put(key, std::string(*value ? "on" : "off"));
  }
  void put(const char* key, const std::optional<double>& value) const {
    char text[32];
    if (!value) return;
    std::snprintf(text, sizeof text, "%.10g", *value);
    put(key, std::string(text));
  }

 private:
  Environment* environment_;
  std::string prefix_;
};

void describe_state(const Section& section, const nvml::Details& details) {
  section.put("driver", nvml::driver_version());
  section.put("clock", details.clock);
  section.put("max_clock", details.max_clock);
  section.put("memory_clock", details.memory_clock);
  section.put("max_memory_clock", details.max_memory_clock);
  section.put("temperature", details.temperature);
  section.put("power", details.power);
  section.put("power_limit", details.power_limit);
  section.put("ecc", details.ecc);
  section.put("persistence", details.persistence);
  section.put("compute_mode", details.compute_mode);
  section.put("pcie_generation", details.pcie_generation);
  section.put("pcie_width", details.pcie_width);
  section.put("max_pcie_generation", details.max_pcie_generation);
  section.put("max_pcie_width", details.max_pcie_width);
  section.put("processes", details.processes);
  section.put("utilisation", details.utilisation);
  section.put("memory_used", details.memory_used);
  section.put("throttle_reasons", join(details.throttle_reasons));
  section.put("energy", std::string(details.energy ? "ok" : "the driver does not count it"));
}

void describe_gpu(const Section& section, const GpuInfo& gpu) {
  section.put("name", gpu.name);
  section.put("uuid", gpu.uuid);
  section.put("bus_id", gpu.bus_id);
  section.put("compute_capability", std::to_string(gpu.compute_capability / 10) + "." +
                                        std::to_string(gpu.compute_capability % 10));
  section.put("multiprocessors", std::optional(gpu.multiprocessors));
  if (gpu.whole_multiprocessors > 0)
    section.put("whole_multiprocessors", std::optional(gpu.whole_multiprocessors));
  section.put("memory", std::optional(gpu.memory));
  section.put("l2_cache", std::optional(gpu.l2_cache));
}

}  // namespace

void describe_gpus(Environment* environment) {
  if (const std::string version = cuda_runtime_version(); !version.empty()) (*environment)["cuda"] = version;
  if (const std::string version = cuda_driver_version(); !version.empty())
    (*environment)["cuda.driver"] = version;
  if (const char* why = nvml::unavailable()) (*environment)["nvml.missing"] = why;
  std::string why_not;
  const std::vector<GpuInfo> gpus = find_gpus(&why_not);
  (*environment)["gpus"] = std::to_string(gpus.size());
  if (gpus.empty()) (*environment)["gpus.missing"] = why_not;
  // Adds the GPUs that the driver reports. CUDA may not see them, for example if CUDA_VISIBLE_DEVICES hides
  // them.
  if (const int count = nvml::gpu_count()) {
    (*environment)["driver.gpus"] = std::to_string(count);
    if (gpus.empty()) (*environment)["driver.gpu"] = nvml::read("", 0).name;
    (*environment)["driver"] = nvml::driver_version();
  }
  // A GPU with restricted multiprocessors counts as another machine, so that its results are not mixed with
  // those of the whole GPU.
  if (!gpus.empty() && gpus.front().whole_multiprocessors > 0)
    (*environment)["machine"] += "/" + std::to_string(gpus.front().multiprocessors) + "sm";
  for (const GpuInfo& gpu : gpus) {
    const Section section(environment, gpu.index);
    describe_gpu(section, gpu);
    if (gpus.size() > 1) section.put("peers", peers_of_gpu(gpu.index, static_cast<int>(gpus.size())));
    describe_state(section, nvml::read(gpu.bus_id, gpu.index));
  }
  if (!gpus.empty()) {
    const std::string obstacle = gpu_code_obstacle();
    (*environment)["cuda.code"] = obstacle.empty() ? "ok" : obstacle;
  }
}

}  // namespace sextant
