// Checks a variant's result element by element before anything is timed.
#pragma once

#include <string>
#include <vector>

#include "engine/case/device_copies.hpp"
#include "suite/variant.hpp"

namespace sextant {

struct CheckResult {
  bool passed = false;
  bool failed = false;   // true if a launch itself failed (see failure_of_launches()), whatever its result
  std::string reason;    // why the check failed; empty if it passed
  double error = 0;      // error of the element whose error is largest relative to its tolerance
  double tolerance = 0;  // tolerance of the element with that error
  std::int64_t outliers = 0;  // number of elements outside the tolerance, if the kernel allows some
  // false if the launch changed how the processor rounds or flushes small numbers to zero
  bool keeps_arithmetic = true;
  // False if two executions on the same inputs gave different bytes. True if this was not tested.
  bool repeats = true;
  std::vector<double> seconds;  // seconds of each execution; meaningful only for long calls that passed
};

// Runs the variant on poisoned outputs (filled with NaN or huge values) and compares the result with the
// reference. A second run uses the other poison, so that an earlier result or the poison itself cannot pass
// as a right result. The second run copies and compares outputs only. Throws DeviceError if the device fails.
//
// `once_from`: an execution that passes and takes longer than this many seconds is not repeated. It is 0 if
// audits follow (engine/case/audits.hpp). Otherwise, if a launch is cheap, the check first runs on other
// inputs. This exposes variants that keep results or operands from an earlier call. The variant's `prepare`
// must then have run on other_filling.
//
// `ask_repeats`: also compares the results of both executions with each other.
CheckResult check(const Variant& variant, const Call& call, Device& device, Workset& workset,
                  DeviceCopies& device_copies, double once_from = 1e300, bool ask_repeats = false);

// Restores the inputs of `filling` on the host and poisons the outputs there, while `poison` fills them on
// the device. For a GPU variant, samples of the outputs get another byte, so that outputs which are not
// copied back are detected.
void reset_host(Workset& workset, const Device& device, unsigned char poison,
                Filling filling = timed_filling);

// Returns why earlier launches are invalid although the device reports no error (toolbox/watched.hpp). The
// text is empty if they are valid.
std::string failure_of_launches();

// Returns true if check() may first run this problem on other inputs.
bool runs_on_others(const Kernel& kernel, const Problem& problem);

// Fills the outputs with poison and restores inout arrays, for the current inputs.
void poison(Device& device, Workset& workset, DeviceCopies& device_copies);
// Fills in the timed inputs again and poisons the outputs.
void put_timed_inputs(Device& device, Workset& workset, DeviceCopies& device_copies);

}  // namespace sextant
