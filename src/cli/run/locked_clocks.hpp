// Locks the clocks of the GPUs of a run, for --lock-clocks, and says what could not be held.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"
#include "record/measurement.hpp"
#include "run/clock_guard.hpp"
#include "run/progress.hpp"

namespace sextant {

// Parses the value of --lock-clocks: MHz, or nothing for `base`. Throws UserError.
std::optional<unsigned> parse_clock(const std::string& text);

// The command of the guardian process.
std::vector<std::string> guardian_command();

class LockedClocks {
 public:
  // Locks the clocks of the GPUs that the cases use, and of `more_gpus`. `guardian` starts the guardian
  // process. Adds gpu<i>.locked_clock (Hz or "base") to the environment. Tells the user of GPUs whose clocks
  // could not be locked.
  LockedClocks(const std::vector<std::string>& guardian, std::optional<unsigned> megahertz,
               const std::vector<Case>& cases, const std::vector<std::string>& more_gpus,
               Environment* environment, ProgressReporter& progress);
  ~LockedClocks();  // gives the clocks back

  // Compares the clock of the samples with the locked one.
  void add(const Measurement& measurement);
  // Returns which GPUs did not hold their clocks, and in how many cases; empty if all did.
  std::string text() const;

 private:
  struct Held {
    int cases = 0, missed = 0;
    double low = 0, high = 0;  // clocks in Hz of the cases that missed the locked one
  };

  std::optional<unsigned> megahertz_;
  std::unique_ptr<ClockGuard> guard_;
  std::map<std::string, Held> held_;  // by name of the GPU
};

}  // namespace sextant
