#include "analysis/study/findings.hpp"

namespace sextant {

std::string missing_baseline(const std::vector<StudyRow>& rows) {
  std::size_t without = 0, measured = 0;
  for (const StudyRow& row : rows) {
    if (row.best.empty()) continue;
    ++measured;
    if (!row.best.begin()->second->speedup_serial.samples) ++without;
  }
  if (!without) return "";
  return (without == measured ? "No problem has"
                              : std::to_string(without) + (without == 1 ? " problem" : " problems") + " of " +
                                    std::to_string(measured) + " have no") +
         std::string(without == measured ? " a" : "") +
         " correct measurement of serial.baseline: speed-ups over the -O2 loop are missing there; the "
         "best CPU version is the comparison, if any.";
}

}  // namespace sextant
