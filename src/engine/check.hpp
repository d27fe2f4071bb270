// Checks a variant's result element by element before anything is timed.
#pragma once

#include <string>
#include <vector>

#include "engine/workset.hpp"
#include "suite/variant.hpp"

namespace sextant {

struct CheckResult {
  bool passed = false;
  std::string reason;           // empty if passed
  double error = 0;             // of the element with the largest share of what is allowed
  double tolerance = 0;         // what is allowed there
  std::vector<double> seconds;  // each execution's call time: only worth something if passed and long
};

// Runs the variant once on poisoned outputs and compares; then once more on another poison, so that a result
// left over from before, or one that happens to equal the poison, cannot pass. Throws DeviceError if the
// device fails. The second run leaves inputs where they are, and copies and compares outputs only.
// An execution that takes longer than `once_from` seconds and passes is not repeated.
CheckResult check(const Variant& variant, const Call& call, Device& device, Workset& workset, Mapped& mapped,
                  double once_from = 1e300);

}  // namespace sextant
