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
  double elapsed = 0;     // seconds since the run began
  double remaining = -1;  // estimated seconds from the cases so far; negative while unknown
};

struct Callbacks {
  std::function<void(const Measurement&)> measured;  // receives each measurement; called one at a time
  // Called with a function that passes on several waiting measurements. The caller can call it within one
  // database transaction. May be empty.
  std::function<void(const std::function<void()>&)> together;
  std::function<void(const Progress&)> progress;  // receives the progress; may be empty
  // receives notes for the user, such as that a worker process died
  std::function<void(const std::string&)> message;
  // Called between cases, and every 0.1 s while a case runs. Returning true ends the run. The running case
  // gets two more seconds; then it is killed and not measured.
  std::function<bool()> stop;
  // Called before a case starts. Returns why it is skipped, or an empty string. All earlier measurements have
  // been passed on by then. May be empty.
  std::function<std::string(const Case&)> refuse = {};
  // Receives the seconds that a case spent in a stage. May be empty.
  std::function<void(const Case&, Stage stage, double seconds)> spent;
};

}  // namespace sextant
