// A worker whose kernels are slower by a known fraction, for tests of `compare --programs` (turns_power.sh).
// SEXTANT_SLOWER=0.1 makes every CPU call 10 % longer by spinning, and keeps the GPU busy 10 % longer for
// CUDA variants.
#include <cstdlib>
#include <deque>

#include "base/clock.hpp"
#include "engine/process/worker.hpp"
#include "registry/registry.hpp"
#include "slower_gpu.hpp"

namespace sextant {
namespace {

using Launch = Function<void(const Call&)>;

double slower = 0;
std::deque<Launch> originals;

// Spins with arithmetic, so that it loads the processor like a kernel.
void spin(double seconds) {
  const double end = now() + seconds;
  volatile double x = 1;
  while (now() < end) x = x * 0.5 + 1;
}

void longer(const void* original, const Call& call) {
  const double began = now();
  (*static_cast<const Launch*>(original))(call);
  spin(slower * (now() - began));
}

void longer_on_gpu(const void* original, const Call& call) {
  launch_longer_on_gpu(*static_cast<const Launch*>(original), call, slower);
}

void wrap_all() {
  for (RegisteredKernel& kernel : const_cast<std::deque<RegisteredKernel>&>(registry()))
    for (Variant& variant : kernel.variants) {
      if (needs_gpu(variant) && variant.memory_space != MemorySpace::cuda) continue;
      for (Launch* launch : {&variant.launch.float32, &variant.launch.float64, &variant.launch.int32})
        if (*launch) {
          originals.push_back(*launch);
          *launch =
              Launch(variant.memory_space == MemorySpace::cuda ? longer_on_gpu : longer, &originals.back());
        }
    }
}

}  // namespace
}  // namespace sextant

int main() {
  const char* text = std::getenv("SEXTANT_SLOWER");
  sextant::slower = text ? std::atof(text) : 0;
  sextant::wrap_all();
  return sextant::worker_main(3, 4);
}
