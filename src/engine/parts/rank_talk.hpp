// Control messages between ranks, such as requests and errors. They are separate from the messages of a
// variant's algorithm. Ranks sleep while they wait, because other ranks may compute on the same core.
#pragma once

#include <functional>
#include <string>

#include "suite/parts.hpp"

namespace sextant {

// Copies the text of rank `from` to all ranks.
void share_text(const parts::Ranks& ranks, int from, std::string* text);

// The error of a step on one rank, if there is one. If several ranks have an error, the first one counts.
struct Trouble {
  std::string reason;   // description of the error; empty: no error
  bool failed = false;  // true: the step failed; false: the case cannot run here
  bool any() const { return !reason.empty(); }
};

// Returns the first error of any rank. The result is the same on all ranks.
Trouble agreed(const parts::Ranks& ranks, const Trouble& own);

// Runs `step`, which returns why the case cannot run here, or an empty string. An exception counts as a
// failure.
Trouble tried(const std::function<std::string()>& step);

double largest(const parts::Ranks& ranks, double value);
double sum(const parts::Ranks& ranks, double value);

// Returns the ranks of a process that runs alone. Point-to-point messages do nothing, and collective
// operations only copy.
const parts::Ranks& one_rank();

}  // namespace sextant
