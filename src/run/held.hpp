// Finds the requested cases that a results file already holds, so that the same command continues a run.
#pragma once

#include <string>
#include <vector>

#include "engine/form/settings.hpp"
#include "store/results_file.hpp"

namespace sextant {

// Stores the settings of a session in its environment ("run.min_samples", …).
void record_settings(const Settings& settings, Environment* environment);
// Reads the entries of record_settings. Missing entries keep their defaults.
Settings settings_of(const Session& session);

// True if a case that is not ok may succeed when it is measured again. Such a case ran out of time or memory,
// or exceeded its ceilings. A case that was skipped for another reason than its variant's constraint, such as
// a missing device, also counts.
bool deserves_another_try(const Measurement& measurement);

struct Repeat {
  bool all = false;    // --fresh
  bool bad = false;    // --retry: all cases that are not ok.
  bool noisy = false;  // --noisy: cases above the allowed noise.
  bool alike = false;  // --devices: also accept results of another GPU of the same kind.
};

// The cases of a run, split by what its results file holds.
struct Held {
  std::vector<Case> open;                 // Cases to measure, in the requested order.
  std::vector<const Measurement*> known;  // Cases in the file that are not measured again.
  std::size_t again = 0;                  // Number of `open` cases in the file that are measured again.
  std::size_t changed = 0;                // Number of `open` cases of a loaded kernel whose code has changed.
  std::size_t unfinished = 0;  // Number of `open` cases that are the fastest of an unfinished search.
};

// Splits the cases. `results` must outlive the return value. Cases with other thread counts than `now`, or
// with other code of a loaded kernel, are treated as missing. A case in the file is measured again if
// `repeat` asks for it. So is a case that deserves another try, if its device is present. A case whose
// session asked for less than `settings` is measured again if it has too few samples or too much noise. A
// case on a GPU is measured again if it lacks requested hardware counters. Finally, the fastest case of an
// interrupted search is measured again. Its calls were not yet sampled in isolation, or its end-to-end pass
// was not timed.
Held hold_against(const Results& results, const Environment& now, const std::vector<Case>& cases,
                  const Settings& settings, const Repeat& repeat);

// Returns the thread settings of this machine's cases in the file that differ from the settings of `cases`,
// as texts. Such cases count as different and stay in the file.
std::vector<std::string> other_threads(const Results& results, const Environment& now,
                                       const std::vector<Case>& cases);

}  // namespace sextant
