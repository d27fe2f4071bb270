// Measures the energy of calls in windows of calls in a row, from a counter that advances in steps.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/case/sampling.hpp"
#include "engine/form/settings.hpp"

namespace sextant {

struct EnergyPlan {
  int windows = 6;  // with fewer windows the median has no 95 % interval
  // A window takes at least so many seconds, and so many steps of the counter. Sensors of GPUs see only a
  // part of the time, and a step is known to a few milliseconds.
  double window_seconds = shortest_energy_window;
  int window_steps = 10;
  double lead_in = 0.5;        // seconds of calls before the first window
  double idle_after = 1;       // seconds without work before the idle power is measured
  double longest = 20;         // most seconds of all windows together; at least one window is measured
  double longest_call = 5;     // seconds; the energy of longer calls is not measured
  double longest_step = 1;     // seconds; a counter with longer steps does not advance
  double poll_seconds = 2e-3;  // between two readings of the counter
};

// A reading of an energy counter.
struct EnergyReading {
  double time = 0;    // seconds on the clock
  double joules = 0;  // since a fixed moment
};

// Reads a counter again and again in a thread, and keeps the readings that differ from the one before.
class EnergySteps {
 public:
  using Read = std::function<std::optional<double>()>;
  EnergySteps(Read read, Clock& clock, double poll_seconds);
  ~EnergySteps();
  EnergySteps(const EnergySteps&) = delete;
  EnergySteps& operator=(const EnergySteps&) = delete;

  std::vector<EnergyReading> steps() const;  // the first one is the first step that was seen
  std::size_t count() const;

 private:
  void run();

  Read read_;
  Clock& clock_;
  double poll_seconds_;
  mutable std::mutex mutex_;
  std::condition_variable ending_;
  bool ends_ = false;
  std::vector<EnergyReading> steps_;
  std::thread thread_;
};

// Returns the median seconds between two steps; 0 if there are fewer than two.
double step_seconds(const std::vector<EnergyReading>& steps);
// Returns the joules at a time between the first and the last step, by linear interpolation; else empty.
std::optional<double> joules_at(const std::vector<EnergyReading>& steps, double time);

// The end of some calls in a row.
struct CallMark {
  double time = 0;         // seconds on the clock
  std::int64_t calls = 0;  // number of calls until then
};

// Returns the number of calls between two marks: a millisecond of calls of `expected` seconds, or one.
int calls_in_a_row(double expected);

struct CallEnergy {
  std::vector<double> energies, times;  // joules and seconds of a call, one value per window
  double window = 0;                    // mean seconds of a window
  std::string obstacle;                 // why the energy is not known; else empty
};

// Divides the marks after `begin` into windows of at least `window` seconds, and returns the energy and the
// time of a call in each. Leaves out windows that are not between two steps.
CallEnergy energy_in_windows(const std::vector<EnergyReading>& steps, const std::vector<CallMark>& marks,
                             double begin, double window, int most);

// Measures the power of a device without work, in watts. Empty if the counter does not advance.
std::optional<double> measure_idle_power(const EnergySteps::Read& read, Clock& clock, const EnergyPlan& plan);

// Measures the energy of calls. `run` executes calls in a row and returns when they are complete. `expected`
// is the seconds of a call. Does not measure the idle power.
CallEnergy measure_energy(const std::function<void(int calls)>& run, double expected,
                          const EnergySteps::Read& read, Clock& clock, const EnergyPlan& plan);

}  // namespace sextant
