// What a kernel's speed-up gives a whole program, and when moving its data to a device pays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/study/study.hpp"

namespace sextant {

// Speed-up of a program of which `share` (0 to 1, of its time before) becomes `speedup` times as fast: G. M.
// Amdahl, "Validity of the single processor approach to achieving large scale computing capabilities", 1967.
// An infinite speed-up gives the limit 1 / (1 - share). Zero if the speed-up is not positive.
double amdahl(double share, double speedup);

// Scaled speed-up: how much more work the program does in the same time if the kernel's part, `share` of the
// time after, grows with what the device can do: J. L. Gustafson, "Reevaluating Amdahl's law", 1988.
double gustafson(double share, double speedup);

// How often a kernel must run on data that stays on the device until that, its transfers included, is
// quicker than staying where it was: the least k with transfer + k * kernel < k * baseline. 1 if it pays at
// once; nothing if the kernel alone is no quicker, or a time is not positive.
std::optional<std::int64_t> break_even(double baseline_seconds, double kernel_seconds,
                                       double transfer_seconds);

// Baseline over kernel if one transfer serves `reuses` executions.
double speedup_with_reuse(double baseline_seconds, double kernel_seconds, double transfer_seconds,
                          double reuses);

// One model at one problem, held against a baseline on the CPU.
struct AmdahlCase {
  const StudyRow* row = nullptr;
  const Summary* summary = nullptr;  // the column's fastest by its call
  std::string column;
  std::string baseline;  // "serial.baseline", or the best CPU version's name
  double baseline_seconds = 0, kernel_seconds = 0;
  // A whole pass (allocation, copies both ways, free) less its kernel; 0 on the CPU; nothing: not timed.
  std::optional<double> transfer_seconds;

  double speedup() const { return baseline_seconds / kernel_seconds; }
};

enum class AmdahlBaseline : std::uint8_t { serial, best_cpu };

// Every column of every row against serial.baseline (where that was not measured: against the best CPU
// version) or against the best CPU version. The baseline itself and rows without one are left out.
std::vector<AmdahlCase> amdahl_cases(const std::vector<StudyRow>& rows, AmdahlBaseline baseline);

}  // namespace sextant
