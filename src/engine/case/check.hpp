// Checks a variant's result element by element before anything is timed.
#pragma once

#include <string>
#include <vector>

#include "engine/case/workset.hpp"
#include "suite/variant.hpp"

namespace sextant {

struct CheckResult {
  bool passed = false;
  bool failed = false;           // a launch itself, whatever its result: `failure_of_launches` is the reason
  std::string reason;            // empty if passed
  double error = 0;              // of the element with the largest share of what is allowed
  double tolerance = 0;          // what is allowed there
  std::int64_t outliers = 0;     // elements that do not pass, where some need not
  bool keeps_arithmetic = true;  // rounding and flushing are as before the launch
  bool repeats = true;           // two executions on the same inputs gave the same bytes; where that is asked
  std::vector<double> seconds;   // each execution's call time: only worth something if passed and long
};

// Runs the variant once on poisoned outputs and compares; then once more on another poison, so that a result
// left over from before, or one that happens to equal the poison, cannot pass. Throws DeviceError if the
// device fails. The second run leaves inputs where they are, and copies and compares outputs only.
// An execution that takes longer than `once_from` seconds and passes is not repeated: 0 where audits follow
// (engine/case/audits.hpp). Else, where a launch costs little, it runs on other inputs before: an answer or
// operand that is kept from there is wrong. What a variant prepares is to be prepared on other_filling there,
// too. `ask_repeats`: the results of both executions are held against each other, too.
CheckResult check(const Variant& variant, const Call& call, Device& device, Workset& workset, Mapped& mapped,
                  double once_from = 1e300, bool ask_repeats = false);

// What the host's outputs are poisoned with where those of a launch are with `poison`: other bytes if it runs
// on a device, since what a device fails to write back must not look like what it was given.
unsigned char host_poison(const Device& device, unsigned char poison);

// Why launches so far are void although the device reports no error (toolbox/watched.hpp), or empty.
std::string failure_of_launches();

// Whether it does at this problem.
bool runs_on_others(const Kernel& kernel, const Problem& problem);

// Poisons the outputs for the filling that is there; inout arrays start anew.
void poison(Device& device, Workset& workset, Mapped& mapped);
// The timed inputs, and poisoned outputs.
void put_timed_inputs(Device& device, Workset& workset, Mapped& mapped);
// Compares what a launch left with the reference for the filling that is there. Returns an empty string or
// what is wrong.
std::string compare(Workset& workset, Mapped& mapped);

}  // namespace sextant
