// Settings of a measurement: samples, time limits, checks, and the times to measure.
#pragma once

#include <cstdint>

namespace sextant {

// Which times of a case are measured:
//   all           all that are requested
//   without_pass  all except the end-to-end pass
//   pass          only the end-to-end pass
enum class Timed : std::uint8_t { all, without_pass, pass };

// Value of Settings::stay_seconds for runs that later repeat each case briefly in other processes (visits).
inline constexpr double stay_before_visits = 0.0125;

// Value of Settings::energy_windows for which the energy has a 95 % interval.
inline constexpr int all_energy_windows = 6;

// Least seconds of a window. Sensors of GPUs see only a part of the time.
inline constexpr double shortest_energy_window = 0.5;

struct Settings {
  int min_samples = 10;
  int max_samples = 1000;
  // Take min_samples even of slow cases, however long that takes.
  bool all_samples = false;
  // Target for the half width of the median's 95 % interval, relative to the median.
  double max_noise = 0.01;
  // Sampling ends only after the interval has stayed within max_noise for this many seconds.
  double least_seconds = 0.01;
  // Seconds of warm-up calls before the first sample. Short calls get at least three of them.
  double warm_seconds = 0.01;
  // Sampling ends after this many seconds even if the median is still noisy.
  double case_seconds = 0.2;
  // Sampling ends after this many seconds instead of case_seconds, for cases that are measured again in other
  // processes; 0: use case_seconds.
  double stay_seconds = 0;
  double timeout = 60;  // most seconds for a case in total
  // Run in this process, without a worker, for debuggers and sanitizers.
  bool in_process = false;
  // Only check the result, as `sextant verify` does.
  bool check_only = false;
  // Skip the check of a case if this worker has already found it right, and audit it only once. An audit
  // repeats the check on other inputs.
  bool check_once = false;
  // Set for a visit, which is a short repeated measurement in another process: one check, then samples.
  bool visit = false;
  // Execute the check twice before any timing, however long that takes.
  bool check_fully = false;
  // Measure copies, allocation and end-to-end time.
  bool transfers = true;
  // Which times are measured if `transfers` is set.
  Timed timed = Timed::all;
  // Seconds of the pause before further calls, which are timed apart; 0: no such calls.
  double gap = 0;
  // Number of windows in which the energy of calls is measured; 0: it is not measured.
  int energy_windows = 0;
  double energy_window = shortest_energy_window;  // least seconds of such a window
  // Most seconds of calls before the samples until clock and temperature are steady; 0: do not wait.
  double steady_seconds = 0;
  // Read hardware counters of cases that run on a GPU.
  bool counters = false;
  // Run offloaded variants on the host, to check them without a GPU.
  bool offload_on_host = false;
  // If the check took more seconds than this, the case gets no samples; 0: no limit.
  double give_up_above = 0;
  // If the first three samples each took more seconds than this, the case gets no more; 0: no limit.
  double screen_above = 0;
  // Seed of the input data; 0: drawn at random for each run.
  std::uint64_t seed = 0;
  std::int64_t guard_bytes = 16384;
};

// Returns the settings with a random seed if their seed is 0.
Settings with_seed(Settings settings);

}  // namespace sextant
