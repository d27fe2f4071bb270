// Finds results that are faster than the device's peak rates allow. Reports them in the case's row and at the
// end of a run.
#pragma once

#include <string>
#include <vector>

#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

class TooFast {
 public:
  // Takes the session's ceilings, which are the measured peak rates of its devices. Without ceilings no case
  // is marked.
  explicit TooFast(std::vector<Ceiling> ceilings) : ceilings_(std::move(ceilings)) {}

  // Adds ceilings that were measured concurrently with cases.
  void know(const std::vector<Ceiling>& more) { ceilings_.insert(ceilings_.end(), more.begin(), more.end()); }

  // Returns the measurement. If it is more than twice as fast as the ceilings allow, its status is
  // `impossible`.
  Measurement judged(const Measurement& measurement) const;

  // Returns the note for the row of a case that is faster than the ceilings allow, or an empty text.
  std::string doubt(const Measurement& measurement);

  // Returns a text with the number of such cases and the first five. It is empty if there are none.
  std::string text() const;

 private:
  std::vector<Ceiling> ceilings_;
  std::vector<std::string> cases_;
};

}  // namespace sextant
