// What ranks tell each other beside a variant's own messages: requests, reasons, and what they agree on. None
// of them keeps a core busy while it waits, since others compute then.
#pragma once

#include <functional>
#include <string>

#include "suite/parts.hpp"

namespace sextant {

// The text of rank `from`, to all.
void share_text(const parts::Ranks& ranks, int from, std::string* text);

// What went wrong, if anything did: at the first rank that says so.
struct Trouble {
  std::string reason;   // empty: nothing
  bool failed = false;  // else the case only cannot be run here
  bool any() const { return !reason.empty(); }
};

// The same on all ranks.
Trouble agreed(const parts::Ranks& ranks, const Trouble& own);

// Runs `step`, which returns why the case cannot be run; what it throws is a failure.
Trouble tried(const std::function<std::string()>& step);

double largest(const parts::Ranks& ranks, double value);
double sum(const parts::Ranks& ranks, double value);

// A process that has no others beside it: its messages go nowhere, since none are asked for.
const parts::Ranks& one_rank();

}  // namespace sextant
