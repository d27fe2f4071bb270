// Computes how a kernel's speed-up affects a whole program, and when moving its data to a device pays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/study/study.hpp"

namespace sextant {

// Returns the speed-up of a whole program if one part of it becomes `speedup` times as fast. `share` (0 to 1)
// is the fraction of the program's time that this part takes. For an infinite speed-up the limit is 1 / (1 -
// share). Returns 0 if `speedup` is not positive. Source: G. M. Amdahl, "Validity of the single processor
// approach to achieving large scale computing capabilities", 1967.
double amdahl(double share, double speedup);

// Scaled speed-up: how much more work the program does in the same time if the kernel's work grows with the
// device's speed. `share` is the kernel's fraction of the time on the device. Source: J. L. Gustafson,
// "Reevaluating Amdahl's law", 1988.
double gustafson(double share, double speedup);

// Returns the number of kernel executions from which the device is faster, if its data are copied once and
// stay there. It is the smallest k with transfer + k * kernel < k * baseline. Empty if the kernel alone is
// not faster or a time is not positive.
std::optional<std::int64_t> break_even(double baseline_seconds, double kernel_seconds,
                                       double transfer_seconds);

// Returns the speed-up per execution if the data are transferred once for `reuses` executions. The transfer
// time counts for the kernel, not for the baseline.
double speedup_with_reuse(double baseline_seconds, double kernel_seconds, double transfer_seconds,
                          double reuses);

// The time of one programming model at one problem, compared with a CPU baseline.
struct AmdahlCase {
  const StudyRow* row = nullptr;
  const Summary* summary = nullptr;  // the fastest variant of the column (model) by call time
  std::string column;
  std::string baseline;  // name of the baseline: "serial.baseline", or that of the best CPU version
  double baseline_seconds = 0, kernel_seconds = 0;
  // End-to-end time (allocation, copies both ways, free) minus kernel time. It is 0 on the CPU, and empty if
  // it was not timed.
  std::optional<double> transfer_seconds;

  double speedup() const { return baseline_seconds / kernel_seconds; }
};

enum class AmdahlBaseline : std::uint8_t { serial, best_cpu };

// Compares each programming model of each row with serial.baseline or with the best CPU version. If there is
// no serial.baseline, the best CPU version is used. The baseline itself, rows without a baseline and
// rows whose inputs `run --fill` chose are omitted.
std::vector<AmdahlCase> amdahl_cases(const std::vector<StudyRow>& rows, AmdahlBaseline baseline);

}  // namespace sextant
