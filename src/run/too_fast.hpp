// Rates that a device cannot have: said in the row of the case and at a run's end.
#pragma once

#include <string>
#include <vector>

#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

class TooFast {
 public:
  // Those of the session; without any nothing is too fast.
  explicit TooFast(std::vector<Ceiling> ceilings) : ceilings_(std::move(ceilings)) {}

  // More of them, measured while cases were.
  void know(const std::vector<Ceiling>& more) { ceilings_.insert(ceilings_.end(), more.begin(), more.end()); }

  // The measurement, which is `impossible` where the ceilings allow less than half of its speed.
  Measurement judged(const Measurement& measurement) const;

  // For the row of a case that is faster than the ceilings allow; empty for others.
  std::string doubt(const Measurement& measurement);

  // How many there were, and the first five. Empty if there were none.
  std::string text() const;

 private:
  std::vector<Ceiling> ceilings_;
  std::vector<std::string> cases_;
};

}  // namespace sextant
