// SIGINT and SIGTERM as a question instead of a sudden end.
#pragma once

#include <csignal>

namespace sextant {

// While it lives, the first SIGINT or SIGTERM only sets a flag; a second one ends the process as usual.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();
  // The exit code of a process that the last of these signals ended: 130, or 143 after SIGTERM.
  static int exit_code();

 private:
  struct sigaction before_[2];
};

}  // namespace sextant
