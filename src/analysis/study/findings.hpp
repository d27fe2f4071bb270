// What is missing in a machine's results, and what they say of the source study's findings.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

// That, and where, there is no serial.baseline to compare with; empty: there is one everywhere.
std::string missing_baseline(const std::vector<StudyRow>& rows);

// A finding of the source study (L. Navarro Lorente) held against the rows of one machine.
struct StudyFinding {
  enum class Answer : std::uint8_t { confirmed, refuted, depends, unknown };  // depends: on N
  std::string claim;
  Answer answer = Answer::unknown;
  std::string evidence;  // the measured figures, or what is missing
};
std::vector<StudyFinding> study_findings(const std::vector<StudyRow>& rows);

}  // namespace sextant
