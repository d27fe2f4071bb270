// How far a run is, on standard error: a bar on a terminal, else a plain line from time to time.
#pragma once

#include <string>

#include "engine/form/callbacks.hpp"
#include "present/terminal.hpp"

namespace sextant {

// "triad cuda.tuned float N=7936 block_size=128"
std::string describe(const Case& what);

// The bar with `columns` columns at most: share done (by cost, if that is known), counts, time left, case in
// hand.
std::string progress_bar(const Progress& progress, int columns, bool colour);
// The same as a line of words.
std::string progress_line(const Progress& progress);

class ProgressReporter {
 public:
  ProgressReporter(bool quiet, const Terminal& terminal) : quiet_(quiet), terminal_(terminal) {}
  ~ProgressReporter() { clear(); }
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  void update(const Progress& progress);
  void message(const std::string& text);  // a line of its own; not if quiet
  void clear();                           // takes the bar away, so that a row can be printed

 private:
  bool quiet_;
  Terminal terminal_;
  bool shown_ = false;
  double last_line_ = 0;  // when, in seconds of the run
};

}  // namespace sextant
