// A device group is a set of GPUs that one process uses together. Each GPU holds one or more partitions of a
// problem, and each partition has its own stream.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "suite/team.hpp"

namespace sextant {

class DeviceTeam {
 public:
  virtual ~DeviceTeam() = default;
  virtual const parts::Team& team() const = 0;
  // Waits for the launches of all partitions; throws DeviceError if one of them failed.
  virtual void synchronise() = 0;
  // Waits for all work on all devices of the group.
  virtual void synchronise_all() = 0;
  // Free memory in bytes on the device of the group that has the least.
  virtual std::size_t free_memory() const = 0;
  // begin_times() starts a timer on each partition's device. times_of_parts() waits for the work launched
  // since then and returns the seconds for each partition. The times include launching on the other devices.
  virtual void begin_times() = 0;
  virtual std::vector<double> times_of_parts() = 0;
};

// Returns the number of GPUs that CUDA sees.
int gpus_of_machine();

// Opens the GPUs `first` to `first + devices - 1`, with `sharing` partitions on each. The GPUs can access
// each other's memory while the group exists. If a GPU is missing, returns null and stores the reason in
// *why_not. Throws DeviceError on other CUDA errors.
std::unique_ptr<DeviceTeam> open_team(int first, int devices, int sharing, std::string* why_not);

}  // namespace sextant
