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
  static constexpr int enough = 3;  // number of calls that suffice to decide
  // Returns true if work continued after each call, and enough calls were examined. Calls that are too short
  // to tell are not.
  bool goes_on() const { return looks_ >= enough && found_ == looks_; }

 private:
  static constexpr double share = 0.05;  // work that takes less than this fraction of a call is ignored

  bool goes_on_host(double seconds);
  bool goes_on_device(double seconds);
  double used_in(double window) const;

  const Variant& variant_;
  std::function<void()> synchronise_;
  Clock& clock_;
  int looks_ = 0, found_ = 0;
  std::set<pid_t> team_;  // IDs of OpenMP's threads
};

}  // namespace sextant
