// Programs: how each model does at each of their problems, as studies of whole programs report it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/study/study.hpp"

namespace sextant {

// Whether the row is a program's: their kernels are of group "program". Of kernels whose group is not
// known, those with named problems are taken for programs.
bool is_program(const StudyRow& row);

// Arithmetic mean and sample standard deviation in seconds; the deviation of one sample is 0.
struct Repetitions {
  double mean = 0, deviation = 0;
  std::size_t count = 0;
};
Repetitions repetitions_of(const std::vector<double>& samples);

// What a program is counted in (KernelDescription::unit), per second of the call's median: items or FLOP.
struct ProgramRate {
  double value = 0;  // per second
  std::string unit;  // the name of a million a second: "Mop/s", "MLUPS"
};
// By `seconds` a run: the mean where a table shows means, the median where it shows medians.
std::optional<ProgramRate> program_rate(const Summary& summary, double seconds);

// One model's best correct result at one problem, or, where it has none, what came of it instead.
struct ProgramResult {
  const StudyRow* row = nullptr;
  std::string column;  // as in study_columns
  const Summary* summary = nullptr;
  Repetitions repetitions;  // of the call
  int wrong = 0;            // this model's variants and tunings whose results were wrong here

  bool verified() const { return summary->ok(); }
};

// By row; serial.baseline first, also where another serial variant is faster, then in the order of
// study_columns. `rows` must outlive the results.
std::vector<ProgramResult> program_results(const std::vector<StudyRow>& rows);

}  // namespace sextant
