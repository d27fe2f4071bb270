#include "machine/energy.hpp"
#include "machine/gpu.hpp"
#include "machine/nvml.hpp"

namespace sextant {

std::string cuda_runtime_version() { return ""; }
std::string cuda_driver_version() { return ""; }

std::string gpu_code_obstacle() { return ""; }

std::string peers_of_gpu(int, int) { return "none"; }

std::vector<GpuInfo> find_gpus(std::string* why_not) {
  if (why_not) *why_not = "CUDA is not in this build";
  return {};
}

GpuState read_gpu_state(int index) { return nvml::read_state("", index); }

std::optional<double> gpu_energy(int index) { return nvml::read_energy("", index); }

std::optional<double> gpu_utilisation(int index) { return nvml::read_utilisation("", index); }

std::optional<int> other_programs_on_gpu(int index) { return nvml::other_processes("", index); }

}  // namespace sextant
