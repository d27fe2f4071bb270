// Detects variants whose work continues after the call has returned, on another stream or in a thread that is
// joined later.
#pragma once

#include <sys/types.h>

#include <functional>
#include <set>
#include <utility>

#include "engine/case/sampling.hpp"
#include "suite/variant.hpp"

namespace sextant {

class LeftoverWork {
 public:
  // `synchronise` waits for all work on the device or devices. It is empty if the variant runs on the host.
  LeftoverWork(const Variant& variant, std::function<void()> synchronise, Clock& clock)
      : variant_(variant), synchronise_(std::move(synchronise)), clock_(clock) {}

  // Checks for unfinished work. Call this right after a call that took `seconds`.
  void look(double seconds);
  // Returns how many calls of `seconds` suffice to decide.
  static int enough(double seconds) { return seconds > 0.01 ? 2 : 3; }
  // Returns true if work continued after each call, and enough calls were examined. Calls of libraries with
  // threads of their own are not examined.
  bool goes_on() const { return looks_ >= enough(seconds_) && found_ == looks_; }

 private:
  static constexpr double share = 0.05;  // work that takes less than this fraction of a call is ignored

  bool goes_on_host(double seconds);
  bool goes_on_device(double seconds);
  double used_in(double window) const;

  const Variant& variant_;
  std::function<void()> synchronise_;
  Clock& clock_;
  int looks_ = 0, found_ = 0;
  double seconds_ = 0;    // of the last call that was examined
  std::set<pid_t> team_;  // IDs of OpenMP's threads
};

}  // namespace sextant
