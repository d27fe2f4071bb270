// Which of the cases asked for a results file holds already, so that the same command continues a run.
#pragma once

#include <string>
#include <vector>

#include "engine/form/settings.hpp"
#include "store/results_file.hpp"

namespace sextant {

// What the settings were that a session measured with, as entries of its environment ("run.min_samples", …).
void record_settings(const Settings& settings, Environment* environment);
// What record_settings wrote; the defaults where a file does not say.
Settings settings_of(const Session& session);

// Whether a case that is not ok ended so through no fault of its kernel, so that another try may end well: it
// ran out of time or memory, or was skipped for anything but its own constraint (a missing device or
// package).
bool deserves_another_try(const Measurement& measurement);

struct Repeat {
  bool all = false;    // --fresh
  bool bad = false;    // --retry: whatever did not end well
  bool noisy = false;  // --noisy: what is noisier than asked
  bool alike = false;  // --devices: not what another GPU of the same kind did
};

// Cases of a run, held against its results file.
struct Held {
  std::vector<Case> open;                 // to be measured, in the order asked for
  std::vector<const Measurement*> known;  // held and left alone
  std::size_t again = 0;                  // of `open`: held, but to be measured again
  std::size_t changed = 0;                // of `open`: held, but of a loaded kernel whose code was another
  std::size_t unfinished = 0;  // of `open`: the fastest of a search that was stopped before its end
};

// `results` must outlive what is returned. Cases of other threads than `now` says are not held, nor are those
// of a loaded kernel with another code. A held case is measured again if `repeat` says so, if it deserves
// another try (and its device is there now), if it was measured with fewer samples or more noise than
// `settings` ask for because its session asked for less, if hardware counters are asked for that it lacks, or
// if it is the fastest of a search whose run was stopped before it sampled that one's calls with nothing
// beside them, or timed its pass from end to end.
Held hold_against(const Results& results, const Environment& now, const std::vector<Case>& cases,
                  const Settings& settings, const Repeat& repeat);

// The threads, as text, of this machine's cases in the file, where they are others than those of `cases`:
// they are other cases, and stay. Empty if there are none.
std::vector<std::string> other_threads(const Results& results, const Environment& now,
                                       const std::vector<Case>& cases);

}  // namespace sextant
