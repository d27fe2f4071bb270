// Visits cases after their first measurement, in new processes, and decides open problems.
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

// What visits need of a run.
struct Visiting {
  const RunRequest& request;
  const Environment& environment;
  ProgressReporter& progress;
  ResultsFile& file;
  Timings& timings;
};

// Visits the cases of a session whose first measurements took `first` seconds, for up to a share of that
// time.
void visit_after_first(const Visiting& run, std::int64_t session, double first, Visits* visits,
                       Outcome* outcome);

// Visits the contenders of open problems among `asked` until each is decided. It continues the sessions of
// the file that this machine and build measured.
void decide(const Visiting& run, const std::vector<Case>& asked, Outcome* outcome);

// "12 of 40 times may differ by more than 5 % in another run (load average 7.9 on 2 processors)". Empty if
// nothing was timed.
std::string text_of(const Widths& widths, const std::string& load);

// "load average 7.9 on 2 processors", over the last minute. Empty if the load is unknown.
std::string load_text();

}  // namespace sextant
