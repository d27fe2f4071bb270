#include "slower_gpu.hpp"

namespace sextant {

void launch_longer_on_gpu(const Function<void(const Call&)>& original, const Call& call, double) {
  original(call);
}

}  // namespace sextant
