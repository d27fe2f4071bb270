#include "device/open.hpp"

namespace sextant {

std::unique_ptr<Device> open_cuda_device(int, std::string* why_not) {
  if (why_not) *why_not = "CUDA is not in this build";
  return nullptr;
}

}  // namespace sextant
