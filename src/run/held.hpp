// Finds the requested cases that a results file already contains, so that repeating a command continues an
// interrupted run.
#pragma once

#include <string>
#include <vector>

#include "engine/form/settings.hpp"
#include "store/results_file.hpp"

namespace sextant {

// Stores the settings in a session's environment, as "run.min_samples" and so on.
void record_settings(const Settings& settings, Environment* environment);
// Reads the settings that record_settings stored. Missing entries keep their defaults.
Settings settings_of(const Session& session);

// Returns true if a case that failed or was skipped may succeed when it is measured again. Examples are a
// lack of time, memory or a device, or a time shorter than the device's peak rates allow. Returns false if
// the case was skipped because its variant refuses the problem or tuning.
bool deserves_another_try(const Measurement& measurement);

struct Repeat {
  bool all = false;    // --fresh: measure all cases again
  bool bad = false;    // --retry: measure all cases again that are not ok
  bool alike = false;  // --devices: accept results of another GPU of the same kind
};

// The cases of a run, divided into those to measure and those that the results file already holds.
struct Held {
  std::vector<Case> open;                 // cases to measure, in the requested order
  std::vector<const Measurement*> known;  // results in the file that are not measured again
  std::size_t again = 0;                  // number of `open` cases that have a result in the file
  std::size_t changed = 0;                // number of `open` cases of a user kernel whose code has changed
  std::size_t unfinished = 0;  // number of `open` cases that are the fastest tuning of an unfinished search
};

// Divides the cases into those to measure and those with a valid result. `results` must outlive the return
// value. A result in the file does not count if it was measured with other thread counts than in `now`, or
// with other code of a user kernel. A case with a result is measured again if:
//   - `repeat` asks for it
//   - it failed or was skipped, but may succeed now (deserves_another_try), and its device is present
//   - it has too few samples or too much noise for `settings`, which are stricter than its session's
//   - it ran on a GPU and lacks requested hardware counters
//   - it ran on a GPU, and a steady state is requested, in which it was not measured
//   - it lacks the requested energy, which its device counts
//   - it is the fastest tuning of an interrupted search, and its isolated or end-to-end times are missing
Held hold_against(const Results& results, const Environment& now, const std::vector<Case>& cases,
                  const Settings& settings, const Repeat& repeat);

// Returns descriptions of the thread settings of this machine's results in the file, if they differ from the
// settings of `cases`. Results with other settings count as different cases and stay in the file.
std::vector<std::string> other_threads(const Results& results, const Environment& now,
                                       const std::vector<Case>& cases);

}  // namespace sextant
