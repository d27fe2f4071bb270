// Two programs that measure each case in turns, A B B A, so that what changes in the machine meets both
// alike.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"

namespace sextant {

// What came of a case: a measurement a turn, by side; the last of a side says how it went.
struct Turns {
  Case what;
  std::array<std::vector<Measurement>, 2> sides;
};

struct TurnCallbacks {
  // After each round of A B B A: true ends the case.
  std::function<bool(const Turns&)> settled;
  std::function<void(const Turns&)> done;  // the case has ended; not called for one that was stopped at once
  std::function<bool()> stop;              // asked between rounds; true ends all
};

// Case by case. A turn that does not go well ends its case. `second_first`: B A A B; whose arrays a device
// places first may matter.
void take_turns(const std::vector<Case>& cases, CaseExecutor& first, CaseExecutor& second,
                const TurnCallbacks& callbacks, bool second_first = false);

// What a turn is measured with: short, and with no more than call and device times.
Settings turn_settings(Settings settings);

// A side's turns as one measurement: their samples in the order taken.
Measurement joined(const std::vector<Measurement>& turns);

}  // namespace sextant
