// Visits cases: measures them again in new processes, after their first measurement. This can decide problems
// that are still undecided.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run/progress.hpp"
#include "run/request.hpp"
#include "run/sweep.hpp"
#include "run/timings.hpp"
#include "run/visits.hpp"
#include "store/results_file.hpp"

namespace sextant {

// The objects of a run that visits (re-measurements) use.
struct Visiting {
  const RunRequest& request;
  const Environment& environment;
  ProgressReporter& progress;
  ResultsFile& file;
  Timings& timings;
  // Cases that are measured concurrently on several cores, and the worker slots for them.
  OnCores on_cores = {};
};

// Measures the cases of a session again. Their first measurements took `first` seconds in total; visits may
// take a fraction of that time.
void visit_after_first(const Visiting& run, std::int64_t session, double first, Visits* visits,
                       Outcome* outcome);

// Measures the contenders of undecided problems among `asked` again, until each problem is decided. It
// continues those sessions of the file that this machine and build measured.
void decide(const Visiting& run, const std::vector<Case>& asked, Outcome* outcome);

// Returns a text such as "12 of 40 times may differ by more than 5 % in another run (load average 7.9 on 2
// processors)". Empty if nothing was timed.
std::string text_of(const Widths& widths, const std::string& load);

// Returns a text such as "load average 7.9 on 2 processors", for the last minute. Empty if the load is
// unknown.
std::string load_text();

}  // namespace sextant
