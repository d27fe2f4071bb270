// What the device itself spends on a launch: a pass of its own, since tracing disturbs call times.
#pragma once

#include <functional>
#include <utility>
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

// What samples of a long call did on the device, recorded beside them: fewer launches are then made for the
// device's time alone. A record costs the host some microseconds, which is nothing beside a call of a tenth
// of a second with few kernels. A call with many is recorded once, and that sample is disturbed().
class SampleRecords {
 public:
  using Records = std::vector<ActivityRecord>;
  SampleRecords(std::function<void()> start, std::function<Records()> stop)
      : start_(std::move(start)), stop_(std::move(stop)) {}
  ~SampleRecords();
  SampleRecords(const SampleRecords&) = delete;
  SampleRecords& operator=(const SampleRecords&) = delete;

  void begin();  // a sample
  void end();    // it, if one was begun: before anything else uses the device
  bool disturbed() const { return disturbed_; }
  // Of each sample recorded, undisturbed and not empty.
  const std::vector<Records>& launches() const { return launches_; }

  static constexpr std::size_t most_records = 100;

 private:
  std::function<void()> start_;
  std::function<Records()> stop_;
  bool running_ = false, disturbed_ = false;
  std::vector<Records> launches_;
};

// The same launches as a pass.
DevicePass pass_of(const std::vector<SampleRecords::Records>& launches, int gpu);

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
