#include "device/open.hpp"

namespace sextant {

std::unique_ptr<Device> open_openacc_device(int, std::string* why_not) {
  if (why_not) *why_not = "OpenACC is not in this build";
  return nullptr;
}

int openacc_gpu_count() { return -1; }

}  // namespace sextant
