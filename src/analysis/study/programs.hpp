// Reports how each model performs at each problem of whole programs (applications and proxy benchmarks).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/study/study.hpp"

namespace sextant {

// True if the row's kernel is in group "program". If the group is unknown, a kernel with named problems
// counts as a program.
bool is_program(const StudyRow& row);

// Arithmetic mean and sample standard deviation in seconds. The deviation of a single sample is 0.
struct Repetitions {
  double mean = 0, deviation = 0;
  std::size_t count = 0;
};
Repetitions repetitions_of(const std::vector<double>& samples);

// A program's rate in its own unit (KernelDescription::unit), items or FLOP.
struct ProgramRate {
  double value = 0;  // units (such as items or FLOP) per second
  std::string unit;  // name of 1e6 units per second: "Mop/s", "MLUPS"
};
// `seconds`: time of one run. Tables of means pass the mean, tables of medians pass the median.
std::optional<ProgramRate> program_rate(const Summary& summary, double seconds);

// The best correct result of one model at one problem. If there is none, `summary` shows what happened
// instead.
struct ProgramResult {
  const StudyRow* row = nullptr;
  std::string column;  // the model, named as in study_columns
  const Summary* summary = nullptr;
  Repetitions repetitions;  // mean and deviation of the call time
  int wrong = 0;            // number of the model's variants and tunings with wrong results at this problem

  bool verified() const { return summary->ok(); }
};

// Results in row order. Within a row, serial.baseline comes first even if another serial variant is faster.
// The other results follow the order of study_columns. `rows` must outlive the results.
std::vector<ProgramResult> program_results(const std::vector<StudyRow>& rows);

}  // namespace sextant
