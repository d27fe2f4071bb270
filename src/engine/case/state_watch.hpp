// Records the state of a GPU while a case is sampled: the clock of each group of samples, from the cycle
// counter of a multiprocessor, and power, temperature and throttle reasons, from the driver.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "device/device.hpp"
#include "engine/case/sampling.hpp"
#include "engine/case/state_reader.hpp"
#include "machine/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

class StateWatch {
 public:
  // `counters` is a device with cycle counters; null: the clock comes from the driver. `read` asks the driver
  // for the state, in a thread of its own; empty: the driver is not asked.
  StateWatch(Device* counters, StateReader::Read read, Clock& clock);

  // Call this before a sample. It reads the counters if a new group begins.
  void begin();
  // Call this after a sample, before anything else uses the device. It ends the group.
  void end();

  std::size_t groups() const { return groups_.size(); }
  void keep_first(std::size_t groups) { groups_.resize(groups); }
  // Drops the groups whose element is zero. The elements belong to the last groups.
  void keep_last(const std::vector<char>& wanted);

  // Returns the state of all samples. Asks the driver once more if no reading fell into the samples.
  SampledState finish();
  std::optional<double> max_clock() const { return max_clock_; }  // in Hz, known after finish()

  // A group of short calls takes this many seconds. A reading of the counters costs about 10 µs.
  static constexpr double group_seconds = 0.002;

 private:
  struct Group {
    double begin = 0, end = 0;  // on the clock, in seconds
    int samples = 0;
    std::optional<double> clock;
  };
  using Readings = std::vector<StateReader::Reading>;

  std::vector<CycleCount> counts() const;
  void close(double now, const std::vector<CycleCount>& counts);
  void add_driver_clocks(const Readings& readings);
  Readings readings_of_samples(const Readings& readings) const;

  Device* counters_;
  StateReader::Read read_;
  Clock& clock_;
  StateReader reader_;
  std::vector<Group> groups_;
  bool open_ = false;  // true if the last group is not complete
  std::vector<CycleCount> at_begin_;
  std::optional<double> max_clock_;
};

}  // namespace sextant
