// Callbacks by which a run reports to its caller, and by which the caller stops it.
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
  double remaining = -1;  // seconds, estimated from the cases so far; negative while unknown
};

struct Callbacks {
  std::function<void(const Measurement&)> measured;  // receives each measurement, one call at a time
  // Receives a function that passes on several waiting measurements, so that the caller can store them in one
  // transaction. May be empty.
  std::function<void(const std::function<void()>&)> together;
  std::function<void(const Progress&)> progress;    // may be empty
  std::function<void(const std::string&)> message;  // receives notes for the user, e.g. that a worker died
  // Asked between cases, and every 0.1 s while a case runs. True ends the run: the running case gets two more
  // seconds, then it is killed and not measured.
  std::function<bool()> stop;
  // Returns why a case is skipped before it starts, or an empty string. All earlier measurements have been
  // passed on by then. May be empty.
  std::function<std::string(const Case&)> refuse = {};
  // Receives the seconds that a case spent in a stage. May be empty.
  std::function<void(const Case&, Stage stage, double seconds)> spent;
};

}  // namespace sextant
