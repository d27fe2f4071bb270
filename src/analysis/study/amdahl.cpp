#include "analysis/study/amdahl.hpp"

#include <algorithm>
#include <cmath>

namespace sextant {
namespace {

// Returns the measurement of serial.baseline at this problem; null if it was not measured correctly.
const Summary* serial_of(const StudyRow& row) {
  for (const Summary* s : row.all)
    if (s->ok() && s->measurement->what.variant == "serial.baseline") return s;
  return nullptr;
}

const Summary* best_cpu_of(const StudyRow& row) {
  const Summary* best = nullptr;
  for (const char* column : {"serial", "openmp", "stdpar", "cpu library"})
    if (const auto found = row.best.find(column); found != row.best.end())
      if (!best || found->second->call_time.median < best->call_time.median) best = found->second;
  return best;
}

}  // namespace

double amdahl(double share, double speedup) {
  if (!(speedup > 0)) return 0;
  return 1 / ((1 - share) + share / speedup);
}

double gustafson(double share, double speedup) {
  if (!(speedup > 0)) return 0;
  return (1 - share) + share * speedup;
}

std::optional<std::int64_t> break_even(double baseline_seconds, double kernel_seconds,
                                       double transfer_seconds) {
  if (!(kernel_seconds > 0) || !(baseline_seconds > kernel_seconds)) return std::nullopt;
  const double times = std::floor(std::max(transfer_seconds, 0.0) / (baseline_seconds - kernel_seconds)) + 1;
  if (!(times < 9e18)) return std::nullopt;
  return static_cast<std::int64_t>(times);
}

double speedup_with_reuse(double baseline_seconds, double kernel_seconds, double transfer_seconds,
                          double reuses) {
  const double time = transfer_seconds + reuses * kernel_seconds;
  return time > 0 ? reuses * baseline_seconds / time : 0;
}

std::vector<AmdahlCase> amdahl_cases(const std::vector<StudyRow>& rows, AmdahlBaseline baseline) {
  std::vector<AmdahlCase> cases;
  for (const StudyRow& row : rows) {
    if (row.fill != InputFill::uniform) continue;
    const Summary* base = baseline == AmdahlBaseline::serial ? serial_of(row) : nullptr;
    if (!base) base = best_cpu_of(row);
    if (!base || !(base->call_time.median > 0)) continue;
    for (const char* column : study_columns) {
      const auto found = row.best.find(column);
      if (found == row.best.end() || found->second == base || !(found->second->call_time.median > 0))
        continue;
      const Summary& s = *found->second;
      AmdahlCase one{
          &row, &s, column, base->measurement->what.variant, base->call_time.median, s.call_time.median, {}};
      if (s.on_host)
        one.transfer_seconds = 0;
      else if (s.end_to_end_time.samples)
        one.transfer_seconds = std::max(s.end_to_end_time.median - s.call_time.median, 0.0);
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

}  // namespace sextant
