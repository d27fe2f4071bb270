// Locks the clocks of GPUs. A guardian process gives them back when this process ends, also if it is killed.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace sextant {

struct GpuToLock {
  std::string name;    // such as "gpu0"
  std::string bus_id;  // PCI address; "": unknown
  int index = 0;       // in the driver's order, for a GPU without bus_id
};

class ClockGuard {
 public:
  // Starts the guardian by `command` and locks the clock of each GPU. `megahertz` is empty for the base
  // clock, which the GPU keeps at any load within its power limit.
  ClockGuard(const std::vector<std::string>& command, const std::vector<GpuToLock>& gpus,
             std::optional<unsigned> megahertz);
  ~ClockGuard();
  ClockGuard(const ClockGuard&) = delete;
  ClockGuard& operator=(const ClockGuard&) = delete;

  const std::vector<GpuToLock>& locked() const { return locked_; }
  // Returns why the clocks of the other GPUs could not be locked: "gpu0: Insufficient Permissions".
  const std::vector<std::string>& obstacles() const { return obstacles_; }
  // Gives the clocks back and ends the guardian. If the guardian was killed, this process gives them back.
  // Returns the names of GPUs whose clocks stay locked.
  std::vector<std::string> release();
  pid_t guardian() const { return guardian_; }  // 0: there is none

 private:
  std::string start(const std::vector<std::string>& command);
  std::string ask(const GpuToLock& gpu, std::optional<unsigned> megahertz);

  pid_t guardian_ = 0;
  int channel_ = -1;  // descriptor of the connection to the guardian
  std::vector<GpuToLock> locked_;
  std::vector<std::string> obstacles_;
};

// The guardian process. Reads requests from the descriptor `in` and writes replies to `out`. Gives the clocks
// back at the end of the input, or when its parent has died. Signals to its terminal do not end it. Returns
// the exit code: 0 if all clocks were given back.
int guard_clocks(int in, int out);

}  // namespace sextant
