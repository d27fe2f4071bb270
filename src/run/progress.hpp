// Shows the progress of a run on standard error: a bar on a terminal, otherwise a plain line from time to
// time.
#pragma once

#include <string>

#include "engine/form/callbacks.hpp"
#include "present/terminal.hpp"

namespace sextant {

// Returns a text that identifies the case, such as "triad cuda.tuned float N=7936 block_size=128".
std::string describe(const Case& what);

// Returns a bar of at most `columns` columns. It shows the fraction done, the numbers of cases, the time left
// and the current case.
std::string progress_bar(const Progress& progress, int columns, bool colour);
// Returns the same information as a plain line of text.
std::string progress_line(const Progress& progress);

class ProgressReporter {
 public:
  ProgressReporter(bool quiet, const Terminal& terminal) : quiet_(quiet), terminal_(terminal) {}
  ~ProgressReporter() { clear(); }
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  void update(const Progress& progress);
  void message(const std::string& text);  // prints a separate line, unless the run is quiet
  void clear();                           // removes the bar, so that other output can be printed

 private:
  bool quiet_;
  Terminal terminal_;
  bool shown_ = false;
  double last_line_ = 0;  // time of the last line, in seconds from the start of the run
};

}  // namespace sextant
