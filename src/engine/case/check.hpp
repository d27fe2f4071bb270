// Checks a variant's result element by element before anything is timed.
#pragma once

#include <string>
#include <vector>

#include "engine/case/workset.hpp"
#include "suite/variant.hpp"

namespace sextant {

struct CheckResult {
  bool passed = false;
  bool failed = false;           // A launch itself failed (see failure_of_launches()), whatever its result.
  std::string reason;            // Empty if passed.
  double error = 0;              // Error of the element with the largest share of its tolerance.
  double tolerance = 0;          // Tolerance of that element.
  std::int64_t outliers = 0;     // Elements outside the tolerance, where the kernel allows some.
  bool keeps_arithmetic = true;  // The launch did not change how the processor rounds and flushes to zero.
  bool repeats = true;  // Two executions on the same inputs gave the same bytes. True if this was not tested.
  std::vector<double> seconds;  // Call time of each execution. Meaningful only for long calls that passed.
};

// Runs the variant on poisoned outputs (filled with NaN or huge values) and compares the result with the
// reference. A second run uses the other poison, so that neither leftover results nor values equal to the
// poison can pass. It keeps the inputs, and copies and compares outputs only. Throws DeviceError if the
// device fails.
// `once_from`: an execution that passes and takes longer than this (seconds) is not repeated. It is 0 if
// audits follow (engine/case/audits.hpp). Otherwise, if a launch is cheap, the check first runs on other
// inputs, which exposes answers and operands that are kept from there. The variant's `prepare` must then have
// run on other_filling.
// `ask_repeats`: also compares the results of both executions with each other.
CheckResult check(const Variant& variant, const Call& call, Device& device, Workset& workset, Mapped& mapped,
                  double once_from = 1e300, bool ask_repeats = false);

// The byte that fills the host's outputs while `poison` fills a launch's outputs. It differs from `poison` if
// the variant runs on a device, so that outputs which are not copied back show.
unsigned char host_poison(const Device& device, unsigned char poison);

// Why earlier launches are invalid although the device reports no error (toolbox/watched.hpp); empty if they
// are valid.
std::string failure_of_launches();

// True if check() may first run this problem on other inputs.
bool runs_on_others(const Kernel& kernel, const Problem& problem);

// Poisons the outputs and restores inout arrays, for the current inputs.
void poison(Device& device, Workset& workset, Mapped& mapped);
// Restores the timed inputs and poisons the outputs.
void put_timed_inputs(Device& device, Workset& workset, Mapped& mapped);
// Compares a launch's result with the reference for the current inputs. Returns an empty string, or what is
// wrong.
std::string compare(Workset& workset, Mapped& mapped);

}  // namespace sextant
