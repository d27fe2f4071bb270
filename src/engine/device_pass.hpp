// What the device itself spends on a launch: a pass of its own, since tracing disturbs call times.
#pragma once

#include <functional>
#include <vector>

#include "device/device.hpp"
#include "record/measurement.hpp"
#include "trace/activity.hpp"

namespace sextant {

struct DevicePass {
  std::vector<double> times;              // seconds, one a launch; empty if nothing measures them
  std::vector<KernelLaunch> launches;     // kernels of one launch; empty where times come from events
  const char* without_records = nullptr;  // why there are no activity records, or null
};

// `execute` launches and waits. `flush` (may be empty) runs before each launch and is not counted. Where
// activity records cannot be had, CUDA's events around one launch are used. gpu: index for occupancy.
DevicePass measure_on_device(const std::function<void()>& launch, const std::function<void()>& flush,
                             Device& device, int gpu, int launches);

// The kernels of equal launches: one entry for each name, grid and block, with its count in the first launch
// and the median over the launches of the time they take together.
std::vector<KernelLaunch> describe_launches(const std::vector<std::vector<ActivityRecord>>& launches,
                                            int gpu);

// Splits the records of `count` equal launches, ordered by start, into launches: empty if they do not divide
// evenly.
std::vector<std::vector<ActivityRecord>> split_launches(const std::vector<ActivityRecord>& records,
                                                        int count);

}  // namespace sextant
