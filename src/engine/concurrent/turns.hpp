// Measures each case with two programs in the order A, B, B, A, so that drift of the machine affects both
// alike.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"

namespace sextant {

// The measurements of a case by both programs. The last one of each tells how the program ended.
struct Turns {
  Case what;
  std::array<std::vector<Measurement>, 2> sides;
};

struct TurnCallbacks {
  // Called after each A-B-B-A group. True ends the case.
  std::function<bool(const Turns&)> settled;
  std::function<void(const Turns&)> done;  // The case has ended. Not called if a side has no measurement.
  std::function<bool()> stop;              // Asked between groups. True ends the run.
};

// Measures the cases one after the other. A failed measurement ends its case. `second_first`: uses the order
// B, A, A, B, because it may matter whose arrays a device allocates first.
void take_turns(const std::vector<Case>& cases, CaseExecutor& first, CaseExecutor& second,
                const TurnCallbacks& callbacks, bool second_first = false);

// Settings of a single measurement: short, with call and device times only.
Settings turn_settings(Settings settings);

// Joins the measurements of one side, with their samples in the order taken.
Measurement joined(const std::vector<Measurement>& turns);

}  // namespace sextant
