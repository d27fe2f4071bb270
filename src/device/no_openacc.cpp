#include "device/ceilings_detail.hpp"
#include "device/open.hpp"
#include "device/openacc_profiling.hpp"

namespace sextant {

std::unique_ptr<Device> open_openacc_device(int, std::string* why_not) {
  if (why_not) *why_not = "OpenACC is not in this build";
  return nullptr;
}

int openacc_gpu_count() { return -1; }

void measure_openacc_launches(int, CeilingList*) {}

void start_constructs(double (*)()) {}
std::vector<ConstructRecord> stop_constructs() { return {}; }

}  // namespace sextant
