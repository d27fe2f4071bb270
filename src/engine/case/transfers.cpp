#include "engine/case/transfers.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "engine/case/check.hpp"
#include "engine/case/prepared.hpp"
#include "suite/preparation.hpp"

namespace sextant {
namespace {

double sum_of(const std::vector<double>& seconds) {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

// Calls `once`, which returns seconds, until `budget` seconds are spent or there are `most` results. Calls it
// at least once, and at least twice if that is cheap, because the first call has extra costs. The seconds in
// `other_seconds` count as spent, too.
std::vector<double> repeat(double budget, std::size_t most, const std::function<double()>& once,
                           const std::vector<double>& other_seconds = {}) {
  std::vector<double> times;
  const auto goes_on = [&] {
    if (times.empty()) return true;
    const double spent = sum_of(times);
    return times.size() < most &&
           (spent + sum_of(other_seconds) < budget || (times.size() < 2 && spent < 4 * budget));
  };
  while (goes_on()) times.push_back(once());
  return times;
}

double timed(Clock& clock, const std::function<void()>& action) {
  const double start = clock.now();
  action();
  return clock.now() - start;
}

// seconds to spend on the copies of one array, and on end-to-end passes
constexpr double array_budget = 0.01, pass_budget = 0.05;
constexpr std::size_t most_repetitions = 5;

bool goes_in(Role role) { return role != Role::out; }
bool comes_out(Role role) { return role != Role::in; }

// Measures the copies of one array: to the device for inputs, from the device for outputs.
void measure_array(Device& device, const char* name, Role role, HostArray& array, void* device_copy,
                   const char* method, Clock& clock, std::vector<Transfer>* transfers) {
  const auto bytes = static_cast<std::int64_t>(array.bytes);
  if (goes_in(role))
    transfers->push_back({name, true, method, bytes, repeat(array_budget, most_repetitions, [&] {
                            return timed(clock,
                                         [&] { device.copy_in(device_copy, array.data, array.bytes); });
                          })});
  if (comes_out(role))
    transfers->push_back({name, false, method, bytes, repeat(array_budget, most_repetitions, [&] {
                            return timed(clock,
                                         [&] { device.copy_out(array.data, device_copy, array.bytes); });
                          })});
}

}  // namespace

std::vector<Transfer> measure_transfers(Device& device, Workset& workset, DeviceCopies& device_copies,
                                        Clock& clock) {
  std::vector<Transfer> transfers;
  if (device.memory_space() == MemorySpace::host) return transfers;
  for (std::size_t i = 0; i < workset.arrays().size(); ++i) {
    const ArraySpec& spec = workset.kernel().arrays[i];
    HostArray& array = workset.arrays()[i];
    if (array.bytes == 0) continue;
    void* place = device_copies.arrays()[i].address();
    if (device.memory_space() == MemorySpace::openacc || device.memory_space() == MemorySpace::target) {
      measure_array(device, spec.name, spec.role, array, place, "directive", clock, &transfers);
      continue;
    }
    measure_array(device, spec.name, spec.role, array, place, "pageable", clock, &transfers);
    if (device.pin(array.base, array.total)) {
      measure_array(device, spec.name, spec.role, array, place, "pinned", clock, &transfers);
      device.unpin(array.base);
    }
  }
  return transfers;
}

std::vector<double> measure_allocation(Device& device, Workset& workset, Clock& clock) {
  if (device.memory_space() == MemorySpace::host) return {};
  return repeat(pass_budget, most_repetitions, [&] {
    std::vector<void*> places;
    const double seconds = timed(clock, [&] {
      for (HostArray& array : workset.arrays())
        places.push_back(device.map(array.data, std::max<std::size_t>(array.bytes, 1)));
    });
    for (std::size_t i = 0; i < places.size(); ++i)
      device.unmap(places[i], std::max<std::size_t>(workset.arrays()[i].bytes, 1));
    return seconds;
  });
}

namespace {

constexpr unsigned char poison = 0x7F;  // these bytes give 3.4e38 as float, 1.4e306 as double

// Fills outputs on the device with poison, so that a launch that writes nothing cannot pass because of an
// earlier right result.
void poison_outputs(Device& device, Workset& workset, const std::vector<void*>& places) {
  for (std::size_t i = 0; i < places.size(); ++i)
    if (workset.kernel().arrays[i].role == Role::out)
      device.fill(places[i], poison, workset.arrays()[i].bytes);
}

// Makes one end-to-end pass and returns its seconds. `poisoned`: the outputs are first filled with poison,
// which is not timed.
double end_to_end_pass(const Variant& variant, const Call& like, Device& device, Workset& workset,
                       Clock& clock, bool poisoned, std::vector<double>* prepare_times) {
  const Kernel& kernel = workset.kernel();
  std::vector<HostArray>& arrays = workset.arrays();
  const auto size = [](const HostArray& array) { return std::max<std::size_t>(array.bytes, 1); };
  std::vector<void*> places;
  if (poisoned) reset_host(workset, device, poison);
  double seconds = timed(clock, [&] {
    for (HostArray& array : arrays) places.push_back(device.map(array.data, size(array)));
    for (std::size_t i = 0; i < arrays.size(); ++i)
      if (goes_in(kernel.arrays[i].role)) device.copy_in(places[i], arrays[i].data, arrays[i].bytes);
  });
  if (poisoned) poison_outputs(device, workset, places);
  Call call = like;
  const std::vector<ArrayAt> arrays_at(places.begin(), places.end());
  call.arrays = arrays_at.data();
  Prepared prepared(variant);
  const char* reason = nullptr;
  const double preparing = timed(clock, [&] {
    if (variant.prepare) reason = variant.prepare(call, &prepared.state);
    device.synchronise_all();
  });
  if (reason) throw DeviceError(std::string("preparing a second time: ") + reason);
  if (variant.prepare) prepare_times->push_back(preparing);
  call.state = prepared.state;
  seconds += timed(clock, [&] {
    variant.launch[call.problem.type](call);
    device.synchronise();
    for (std::size_t i = 0; i < arrays.size(); ++i)
      if (comes_out(kernel.arrays[i].role)) device.copy_out(arrays[i].data, places[i], arrays[i].bytes);
    for (std::size_t i = 0; i < arrays.size(); ++i) device.unmap(places[i], size(arrays[i]));
  });
  const std::string failure = failure_of_launches();
  prepared.release();
  if (!failure.empty()) throw std::runtime_error(failure);
  return seconds;
}

}  // namespace

EndToEnd measure_end_to_end(const Variant& variant, const Call& call, Device& device, Workset& workset,
                            Clock& clock) {
  EndToEnd result;
  if (device.memory_space() == MemorySpace::host) return result;
  bool first = true;
  const auto pass = [&] {
    const double seconds =
        end_to_end_pass(variant, call, device, workset, clock, first, &result.prepare_times);
    Deviation worst;
    if (std::exchange(first, false)) result.wrong = workset.compare(&worst, false);
    return seconds;
  };
  result.times = repeat(pass_budget, most_repetitions, pass, result.prepare_times);
  if (prepares_for_inputs(variant))
    for (std::size_t i = 0; i < result.times.size(); ++i) result.times[i] += result.prepare_times[i];
  return result;
}

}  // namespace sextant
