// Measures the time that the device itself spends on a launch. This is separate from measuring calls, because
// recording activity disturbs call times.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "record/measurement.hpp"
#include "trace/activity.hpp"

namespace sextant {

struct DevicePass {
  std::vector<double> times;              // device seconds of each launch; empty if nothing can measure them
  std::vector<KernelLaunch> launches;     // kernels of one launch; empty if the times come from CUDA events
  const char* without_records = nullptr;  // why there are no activity records, or null
};

// Records device activity during the samples of a long call, so that fewer extra launches measure the device
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

  void begin();  // call this before a sample
  void end();    // call this after a sample, before anything else uses the device
  bool disturbed() const { return disturbed_; }
  // Returns one list of records for each undisturbed sample. Empty lists are left out.
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

// Measures this many launches. `flush` runs before each launch and is not timed; it may be empty. If activity
// records are unavailable, CUDA events time the launches. `gpu` is the index of the GPU; it is needed to
// compute the occupancy.
DevicePass measure_on_device(const std::function<void()>& launch, const std::function<void()>& flush,
                             Device& device, int gpu, int launches);

// Describes the kernels of several equal launches, with one entry per combination of name, grid and block.
// The count of an entry is that in the first launch. Its time is the total in one launch; the median over all
// launches is stored.
std::vector<KernelLaunch> describe_launches(const std::vector<std::vector<ActivityRecord>>& launches,
                                            int gpu);

// Divides the records of `count` equal launches, ordered by start, into one list per launch. Returns an empty
// list if the launches differ.
std::vector<std::vector<ActivityRecord>> split_launches(const std::vector<ActivityRecord>& records,
                                                        int count);

}  // namespace sextant
