#include "slower_gpu.hpp"

namespace sextant {

void launch_longer_on_gpu(void (*original)(const Call&), const Call& call, double) { original(call); }

}  // namespace sextant
