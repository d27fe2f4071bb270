#include "engine/case/check.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/clock.hpp"
#include "machine/processor_state.hpp"
#include "toolbox/watched.hpp"

namespace sextant {
namespace {

constexpr unsigned char nan_poison = 0xFF;   // a float or double that consists of these bytes is a NaN
constexpr unsigned char huge_poison = 0x7F;  // these bytes give 3.4e38 as float, 1.4e306 as double

// If the bytes and operations of a problem add up to at most this number, its check begins with a launch on
// other inputs. That launch is then cheap.
constexpr std::int64_t other_inputs_most = std::int64_t{1} << 24;

double timed_launch(const Variant& variant, const Call& call, Device& device) {
  const double start = now();
  variant.launch[call.problem.type](call);
  device.synchronise();
  return now() - start;
}

// Copies the arrays to the device with poisoned outputs, then launches. Returns the seconds of the launch.
double launch_poisoned(unsigned char poison, DeviceCopies::Which which, const Variant& variant,
                       const Call& call, Device& device, Workset& workset, DeviceCopies& device_copies) {
  device_copies.copy_in(which, poison);
  if (device.memory_space() != MemorySpace::host) return timed_launch(variant, call, device);
  const ClosedGuards closed(workset);
  return timed_launch(variant, call, device);
}

}  // namespace

void reset_host(Workset& workset, const Device& device, unsigned char poison, Filling filling) {
  if (device.memory_space() == MemorySpace::host)
    workset.reset(poison, filling);
  else
    workset.reset(static_cast<unsigned char>(poison ^ 0x10), filling, Poisoned::samples);
}

std::string failure_of_launches() {
  const char* reason = Watched::first_failure();
  return reason ? reason : "";
}

bool runs_on_others(const Kernel& kernel, const Problem& problem) {
  const bool reads = std::any_of(kernel.arrays.begin(), kernel.arrays.end(),
                                 [](const ArraySpec& array) { return array.role != Role::out; });
  if (!reads || !kernel.work) return false;
  const Work work = kernel.work(problem);
  return work.bytes_read + work.bytes_written + work.flops + work.integer_operations <= other_inputs_most;
}

CheckResult check(const Variant& variant, const Call& call, Device& device, Workset& workset,
                  DeviceCopies& device_copies, double once_from, bool ask_repeats) {
  CheckResult result;
  std::uint64_t first_hash = 0;
  Deviation worst;
  bool first = true;
  if (once_from > 0 && runs_on_others(workset.kernel(), call.problem)) {
    reset_host(workset, device, nan_poison, other_filling);
    launch_poisoned(nan_poison, DeviceCopies::Which::all, variant, call, device, workset, device_copies);
  }
  for (const unsigned char poison : {nan_poison, huge_poison}) {
    const DeviceCopies::Which which = first ? DeviceCopies::Which::all : DeviceCopies::Which::outputs;
    reset_host(workset, device, poison);
    workset.compute_reference();
    result.seconds.push_back(launch_poisoned(poison, which, variant, call, device, workset, device_copies));
    result.keeps_arithmetic = result.keeps_arithmetic && is_arithmetic_usual();
    result.reason = failure_of_launches();
    result.failed = !result.reason.empty();
    if (result.failed) return result;
    Deviation found;
    result.reason = device_copies.compare(&found, first);
    worst = worse_of(worst, found);
    result.error = worst.error;
    result.tolerance = worst.allowed;
    result.outliers = worst.outliers;
    if (!result.reason.empty()) return result;
    if (ask_repeats) {
      device_copies.copy_out(DeviceCopies::Which::outputs);
      const std::uint64_t hash = workset.outputs_hash();
      result.repeats = first || hash == first_hash;
      first_hash = hash;
    }
    if (result.seconds.back() > once_from) break;
    first = false;
  }
  result.passed = true;
  return result;
}

void poison(Device& device, Workset& workset, DeviceCopies& device_copies) {
  reset_host(workset, device, huge_poison, workset.filling());
  device_copies.copy_in(DeviceCopies::Which::outputs, huge_poison);
}

void put_timed_inputs(Device& device, Workset& workset, DeviceCopies& device_copies) {
  const bool restored = device_copies.restore_inputs(timed_filling);
  reset_host(workset, device, huge_poison);
  device_copies.copy_in(restored ? DeviceCopies::Which::outputs : DeviceCopies::Which::all, huge_poison);
  if (!restored) device_copies.keep_inputs();
}

}  // namespace sextant
