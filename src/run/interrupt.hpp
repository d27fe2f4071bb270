// Turns SIGINT and SIGTERM into a flag that can be queried.
#pragma once

#include <csignal>

namespace sextant {

// While an object of this class exists, the first SIGINT or SIGTERM only sets a flag. A second signal ends
// the process as usual.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();
  // Returns the exit code for a process that the last of these signals ended: 130 after SIGINT, 143 after
  // SIGTERM.
  static int exit_code();

 private:
  struct sigaction before_[2];
};

}  // namespace sextant
