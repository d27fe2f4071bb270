// What a run tells its caller while it measures, and what it asks.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "engine/form/stage.hpp"
#include "record/measurement.hpp"

namespace sextant {

struct Progress {
  std::size_t done = 0, total = 0;
  const Case* running = nullptr;
  double elapsed = 0;     // seconds
  double remaining = -1;  // seconds, estimated from what cases cost, < 0 if not known yet
};

struct Callbacks {
  std::function<void(const Measurement&)> measured;  // called in order, as each case ends
  // Calls what hands on several measurements that have waited, so that they may be stored together; may be
  // empty.
  std::function<void(const std::function<void()>&)> together;
  std::function<void(const Progress&)> progress;    // may be empty
  std::function<void(const std::string&)> message;  // engine notes for the user (a worker died, …)
  // Asked between cases and, every tenth of a second, while one runs: true ends the run. The running case
  // gets two more seconds; after that it is killed and not measured.
  std::function<bool()> stop;
  // Why a case is skipped without being begun, or empty; asked when all before it have been handed over. May
  // be empty.
  std::function<std::string(const Case&)> refuse = {};
  // A case spent so many seconds in a stage; may be empty.
  std::function<void(const Case&, Stage stage, double seconds)> spent;
};

}  // namespace sextant
