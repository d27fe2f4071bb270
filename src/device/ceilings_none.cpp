#include "device/ceilings_detail.hpp"
#include "device/device.hpp"

namespace sextant {

void measure_gpu_ceilings(int, CeilingList* list) { list->require(false, "CUDA is not in this build"); }

}  // namespace sextant
