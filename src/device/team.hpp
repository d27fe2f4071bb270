// A team: the GPUs of one process that a problem lies on in parts, with a stream for each part.
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
  // Waits for all parts' launches; throws DeviceError if one of them failed.
  virtual void synchronise() = 0;
  // Waits for everything that was asked for of any of the devices.
  virtual void settle() = 0;
  virtual std::size_t free_memory() const = 0;  // bytes, of the device that has least
  // Seconds of each part's device, by its own clock, from begin_times until what was launched since then is
  // done, which is waited for. Launching on other devices is in them.
  virtual void begin_times() = 0;
  virtual std::vector<double> times_of_parts() = 0;
};

// CUDA's GPUs of this machine.
int gpus_of_machine();

// GPUs `first` to `first + devices - 1`, with `sharing` parts each; null with *why_not where they are not
// there. Throws DeviceError. While it lives, peers' memory is open to each other.
std::unique_ptr<DeviceTeam> open_team(int first, int devices, int sharing, std::string* why_not);

}  // namespace sextant
