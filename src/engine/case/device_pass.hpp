// Measures the time that the device itself spends on a launch. This is a separate pass, because tracing
// disturbs call times.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "record/measurement.hpp"
#include "trace/activity.hpp"

namespace sextant {

struct DevicePass {
  std::vector<double> times;              // Seconds, one per launch. Empty if nothing measures them.
  std::vector<KernelLaunch> launches;     // Kernels of one launch. Empty if the times come from events.
  const char* without_records = nullptr;  // Why there are no activity records, or null.
};

// Records device activity during the samples of a long call, so that fewer launches are needed for the device
// time. A record costs the host a few microseconds, which is negligible in a call of 0.1 s with few kernels.
// After a call with more than most_records records, disturbed() is true and recording ends.
class SampleRecords {
 public:
  using Records = std::vector<ActivityRecord>;
  SampleRecords(std::function<void()> start, std::function<Records()> stop)
      : start_(std::move(start)), stop_(std::move(stop)) {}
  ~SampleRecords();
  SampleRecords(const SampleRecords&) = delete;
  SampleRecords& operator=(const SampleRecords&) = delete;

  void begin();  // Call before a sample.
  void end();    // Call after a sample, before anything else uses the device.
  bool disturbed() const { return disturbed_; }
  // One list of records per undisturbed sample. Empty lists are left out.
  const std::vector<Records>& launches() const { return launches_; }

  static constexpr std::size_t most_records = 100;

 private:
  std::function<void()> start_;
  std::function<Records()> stop_;
  bool running_ = false, disturbed_ = false;
  std::vector<Records> launches_;
};

// Converts recorded launches into a DevicePass.
DevicePass pass_of(const std::vector<SampleRecords::Records>& launches, int gpu);

// Measures `launches` launches. `flush` (may be empty) runs before each launch and is not counted. Uses CUDA
// events around one launch if activity records are unavailable. `gpu`: its index, for the occupancy.
DevicePass measure_on_device(const std::function<void()>& launch, const std::function<void()>& flush,
                             Device& device, int gpu, int launches);

// Describes the kernels of equal launches, with one entry per name, grid and block. An entry has its count in
// the first launch. Its time is the median over launches of the total per launch.
std::vector<KernelLaunch> describe_launches(const std::vector<std::vector<ActivityRecord>>& launches,
                                            int gpu);

// Splits the records of `count` equal launches, ordered by start, into one list per launch. Returns an empty
// list if they do not divide evenly.
std::vector<std::vector<ActivityRecord>> split_launches(const std::vector<ActivityRecord>& records,
                                                        int count);

}  // namespace sextant
