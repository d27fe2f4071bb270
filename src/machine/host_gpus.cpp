#include "machine/host_gpus.hpp"

#include <cstdint>

namespace sextant {
namespace {

HostGpus installed_gpus = nullptr;

}  // namespace

void install_host_gpus(HostGpus gpus) { installed_gpus = gpus; }

std::vector<std::string> host_gpus() {
  return installed_gpus ? installed_gpus() : std::vector<std::string>();
}

void describe_host_gpus(Environment* environment) {
  const std::vector<std::string> names = host_gpus();
  if (names.empty()) return;
  std::erase_if(*environment, [](const auto& entry) { return entry.first.starts_with("gpu"); });
  (*environment)["gpus"] = std::to_string(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string gpu = "gpu" + std::to_string(i);
    (*environment)[gpu + ".name"] = names[i];
    (*environment)[gpu + ".memory"] = std::to_string(std::int64_t{1} << 30);
    (*environment)[gpu + ".power_limit"] = "100";
  }
}

}  // namespace sextant
