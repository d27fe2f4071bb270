#include "device/open.hpp"

namespace sextant {

std::unique_ptr<Device> open_target_device(int, std::string* why_not) {
  if (why_not) *why_not = "OpenMP's offloading is not in this build";
  return nullptr;
}

int target_gpu_count() { return -1; }

}  // namespace sextant
