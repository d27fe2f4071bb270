// Messages between ranks that are not part of a variant's algorithm: requests, error reasons and agreement.
// Ranks sleep while they wait, because other ranks may compute on the same core.
#pragma once

#include <functional>
#include <string>

#include "suite/parts.hpp"

namespace sextant {

// Sends the text of rank `from` to all ranks.
void share_text(const parts::Ranks& ranks, int from, std::string* text);

// The error of a step, if any. If several ranks have an error, the first one counts.
struct Trouble {
  std::string reason;   // empty: no error
  bool failed = false;  // False: the case only cannot run here.
  bool any() const { return !reason.empty(); }
};

// Returns the error that counts, which is the same on all ranks.
Trouble agreed(const parts::Ranks& ranks, const Trouble& own);

// Runs `step`, which returns why the case cannot run here. An exception counts as a failure.
Trouble tried(const std::function<std::string()>& step);

double largest(const parts::Ranks& ranks, double value);
double sum(const parts::Ranks& ranks, double value);

// The ranks of a process that runs without others. Its messages go nowhere.
const parts::Ranks& one_rank();

}  // namespace sextant
