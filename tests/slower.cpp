// A worker whose kernels take a known share longer: what `compare --programs` is tried on (tests/turns_power.sh).
// SEXTANT_SLOWER=0.1 makes every call on the CPU 10 % longer, by spinning for a tenth of what it took, and what a
// CUDA variant keeps the GPU busy for.
#include <cstdlib>
#include <utility>

#include "base/clock.hpp"
#include "engine/executor.hpp"
#include "registry/registry.hpp"
#include "slower_gpu.hpp"

namespace sextant {
namespace {

constexpr std::size_t most = 1024;  // forms, of all variants and types
using Launch = void (*)(const Call&);

double slower = 0;
Launch originals[most];

// Spins on arithmetic, as a kernel would be slower, and not on the clock alone.
void spin(double seconds) {
  const double end = now() + seconds;
  volatile double x = 1;
  while (now() < end) x = x * 0.5 + 1;
}

template <std::size_t index>
void longer(const Call& call) {
  const double began = now();
  originals[index](call);
  spin(slower * (now() - began));
}

template <std::size_t index>
void longer_on_gpu(const Call& call) {
  launch_longer_on_gpu(originals[index], call, slower);
}

template <std::size_t... indices>
void wrap_all(std::index_sequence<indices...>) {
  static constexpr Launch on_host[] = {longer<indices>...}, on_gpu[] = {longer_on_gpu<indices>...};
  std::size_t used = 0;
  for (RegisteredKernel& kernel : const_cast<std::deque<RegisteredKernel>&>(registry()))
    for (Variant& variant : kernel.variants) {
      if (needs_gpu(variant) && variant.home != Home::cuda) continue;
      for (Launch* launch : {&variant.launch.float32, &variant.launch.float64, &variant.launch.int32})
        if (*launch && used < most) {
          originals[used] = *launch;
          *launch = variant.home == Home::cuda ? on_gpu[used] : on_host[used];
          ++used;
        }
    }
}

}  // namespace
}  // namespace sextant

int main() {
  const char* text = std::getenv("SEXTANT_SLOWER");
  sextant::slower = text ? std::atof(text) : 0;
  sextant::wrap_all(std::make_index_sequence<sextant::most>());
  return sextant::worker_main(3, 4);
}
