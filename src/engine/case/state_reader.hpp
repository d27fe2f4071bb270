// Reads the state of a GPU again and again in a thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/case/sampling.hpp"
#include "machine/environment.hpp"

namespace sextant {

class StateReader {
 public:
  using Read = std::function<GpuState()>;
  struct Reading {
    double time = 0;  // on the clock, in seconds
    GpuState state;
  };

  // Starts the thread, unless `read` is empty. `read` and `clock` are used in the thread.
  StateReader(Read read, Clock& clock);
  ~StateReader();
  StateReader(const StateReader&) = delete;
  StateReader& operator=(const StateReader&) = delete;

  // Ends the thread and returns its readings, in order.
  std::vector<Reading> stop();

  // Seconds before the first reading and between later ones. Short cases then have no reading, which would
  // take as long as they do.
  static constexpr double first_seconds = 0.004, interval_seconds = 0.02;

 private:
  void run();

  Read read_;
  Clock& clock_;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ends_ = false;
  std::vector<Reading> readings_;
  std::thread thread_;
};

}  // namespace sextant
