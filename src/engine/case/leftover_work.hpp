// Whether work goes on after a call returned: on another stream than the call's, or in a thread that is joined later.
#pragma once

#include <sys/types.h>

#include <set>

#include "device/device.hpp"
#include "engine/case/sampling.hpp"
#include "suite/variant.hpp"

namespace sextant {

class LeftoverWork {
 public:
  LeftoverWork(const Variant& variant, Device& device, Clock& clock);

  // Right after a call that took so many seconds.
  void look(double seconds);
  // True if work went on after each of several calls.
  bool goes_on() const { return looks_ >= enough && found_ == looks_; }

 private:
  static constexpr int enough = 3;
  static constexpr double share = 0.05;  // of a call: less is none

  bool goes_on_host(double seconds);
  bool goes_on_device(double seconds);
  double used_in(double window) const;

  const Variant& variant_;
  Device& device_;
  Clock& clock_;
  int looks_ = 0, found_ = 0;
  std::set<pid_t> team_;  // OpenMP's threads
};

}  // namespace sextant
