// What a machine's results say, in plain sentences; all numbers come from the results.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

// What the rows of one machine say, in at most three findings: who wins how often, without and with
// transfers; the largest gain; how near the ceilings. Never empty: with nothing measured it says so.
std::vector<std::string> findings(const std::vector<StudyRow>& rows);

// That, and where, there is no serial.baseline to compare with; empty: there is one everywhere.
std::string missing_baseline(const std::vector<StudyRow>& rows);

// A finding of the source study (L. Navarro Lorente) held against the rows of one machine.
struct StudyFinding {
  enum class Answer : std::uint8_t { confirmed, refuted, unknown };
  std::string claim;
  Answer answer = Answer::unknown;
  std::string evidence;  // the measured figures, or what is missing
};
std::vector<StudyFinding> study_findings(const std::vector<StudyRow>& rows);

}  // namespace sextant
