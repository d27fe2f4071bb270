#include "base/clock.hpp"
#include "device/open.hpp"
#include "device/openacc/directives.hpp"
#include "machine/ceilings/detail.hpp"

namespace sextant {
void measure_openacc_launches(int index, CeilingList* list) {
  const std::unique_ptr<Device> device = open_openacc_device(index, nullptr);
  if (!device) return;
  alignas(64) int counter = 0;
  device->map(&counter, sizeof counter);
  device->copy_in(&counter, &counter, sizeof counter);
  constexpr int warm_up = 10, samples = 200, batches = 7, batch = 100;
  for (int i = 0; i < warm_up; ++i) openacc::count_launch(&counter);
  std::vector<double> times, async_times;
  for (int i = 0; i < samples; ++i) {
    const double start = now();
    openacc::count_launch(&counter);
    times.push_back(now() - start);
  }
  for (int i = 0; i < batches; ++i) {
    const double start = now();
    for (int launch = 0; launch < batch; ++launch) openacc::count_launch_async(&counter);
    openacc::wait();
    async_times.push_back((now() - start) / batch);
  }
  device->synchronise();
  device->copy_out(&counter, &counter, sizeof counter);
  device->unmap(&counter, sizeof counter);
  list->require(counter == warm_up + samples + batches * batch, "OpenACC launches were lost");
  list->add("launch_openacc", median_of(times));
  list->add("launch_openacc_async", median_of(async_times));
}

}  // namespace sextant
