// Compares two programs: measures each case in the order A, B, B, A, so that drift of the machine affects
// both alike.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"

namespace sextant {

// The measurements of a case by both programs. The last one of each program tells whether it succeeded.
struct Turns {
  Case what;
  std::array<std::vector<Measurement>, 2> sides;
};

struct TurnCallbacks {
  // Called after each A-B-B-A group. Returns true to end the case.
  std::function<bool(const Turns&)> decided;
  // called when a case has ended, unless one program has no measurement
  std::function<void(const Turns&)> done;
  std::function<bool()> stop;  // called between groups; returns true to end the run
};

// Measures the cases one after the other. A failed measurement ends its case. `second_first` changes the
// order to B, A, A, B, because the program that first allocates arrays on a device may have an advantage.
void take_turns(const std::vector<Case>& cases, CaseExecutor& first, CaseExecutor& second,
                const TurnCallbacks& callbacks, bool second_first = false);

// Returns the settings of a single measurement: short, with call and device times only.
Settings turn_settings(Settings settings);

// Joins the measurements by one program, with their samples in the order in which they were taken.
Measurement joined(const std::vector<Measurement>& turns);

}  // namespace sextant
