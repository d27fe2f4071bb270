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
  // Returns true if look() must see more calls to decide. Calls of libraries with threads of their own are
  // not examined, because such threads may spin after a call for any length of time.
  bool needs_calls() const { return is_examined() && looks_ < enough_; }
  // Returns true if work continued after each call, and enough calls were examined.
  bool goes_on() const { return looks_ >= enough_ && found_ == looks_; }

 private:
  static constexpr double share = 0.05;  // work that takes less than this fraction of a call is ignored

  bool is_examined() const;
  bool goes_on_host(double seconds);
  bool goes_on_device(double seconds);
  double used_in(double window) const;

  const Variant& variant_;
  std::function<void()> synchronise_;
  Clock& clock_;
  int looks_ = 0, found_ = 0;
  int enough_ = 3;        // number of calls that suffice; fewer if they are long
  std::set<pid_t> team_;  // IDs of OpenMP's threads
};

}  // namespace sextant
