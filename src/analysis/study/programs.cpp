#include "analysis/study/programs.hpp"

#include <algorithm>
#include <cmath>

namespace sextant {
namespace {

// Ranks statuses by severity: wrong results first, then failures, then cases that never ran.
int gravity(Status status) {
  switch (status) {
    case Status::wrong:
      return 5;
    case Status::impossible:
      return 4;
    case Status::failed:
      return 3;
    case Status::timed_out:
      return 2;
    case Status::skipped:
      return 1;
    case Status::ok:
      return 0;
  }
  return 0;
}

std::optional<ProgramResult> result_of(const StudyRow& row, const std::string& column) {
  ProgramResult result;
  result.row = &row;
  result.column = column;
  const auto best = row.best.find(column);
  if (best != row.best.end()) result.summary = best->second;
  for (const Summary* s : row.all) {
    if (s->excluded_from_ranking || column_of(*s) != column) continue;
    result.wrong += s->measurement->status == Status::wrong;
    if (best == row.best.end() && s->measurement->status != Status::ok &&
        (!result.summary || gravity(s->measurement->status) > gravity(result.summary->measurement->status)))
      result.summary = s;
  }
  if (!result.summary) return std::nullopt;
  if (result.verified()) result.repetitions = repetitions_of(result.summary->measurement->call_times);
  return result;
}

// Returns the result of serial.baseline at this problem. Nothing if it is missing or already the best serial
// variant.
std::optional<ProgramResult> baseline_of(const StudyRow& row) {
  for (const Summary* s : row.all) {
    if (!s->ok() || s->measurement->what.variant != "serial.baseline") continue;
    const auto best = row.best.find("serial");
    if (best != row.best.end() && best->second == s) break;
    return ProgramResult{&row, "serial", s, repetitions_of(s->measurement->call_times)};
  }
  return std::nullopt;
}

}  // namespace

bool is_program(const StudyRow& row) {
  if (!row.group.empty()) return row.group == "program";
  return std::any_of(row.all.begin(), row.all.end(),
                     [](const Summary* s) { return !s->measurement->what.problem_class.empty(); });
}

Repetitions repetitions_of(const std::vector<double>& samples) {
  Repetitions result;
  result.count = samples.size();
  if (samples.empty()) return result;
  for (const double sample : samples) result.mean += sample;
  result.mean /= static_cast<double>(samples.size());
  double squares = 0;
  for (const double sample : samples) squares += (sample - result.mean) * (sample - result.mean);
  if (samples.size() > 1) result.deviation = std::sqrt(squares / static_cast<double>(samples.size() - 1));
  return result;
}

std::optional<ProgramRate> program_rate(const Summary& summary, double seconds) {
  if (!summary.ok() || !(seconds > 0)) return std::nullopt;
  const UnitOfWork unit = summary.description ? summary.description->unit : UnitOfWork();
  const Work& work = summary.measurement->work;
  const std::int64_t count = unit.count == UnitOfWork::Count::flops ? work.flops : work.items;
  if (count <= 0) return std::nullopt;
  return ProgramRate{static_cast<double>(count) / seconds, unit.millions_per_second};
}

std::vector<ProgramResult> program_results(const std::vector<StudyRow>& rows) {
  std::vector<ProgramResult> results;
  for (const StudyRow& row : rows) {
    if (!is_program(row)) continue;
    if (std::optional<ProgramResult> sequential = baseline_of(row)) results.push_back(std::move(*sequential));
    for (const char* column : study_columns)
      if (std::optional<ProgramResult> result = result_of(row, column)) results.push_back(std::move(*result));
  }
  return results;
}

}  // namespace sextant
