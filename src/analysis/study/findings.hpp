// Reports missing baselines, and tests the source study's findings with a machine's results.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

// Returns a sentence with the number of problems that lack serial.baseline; empty if every problem has it.
std::string missing_baseline(const std::vector<StudyRow>& rows);

// A finding of the source study (L. Navarro Lorente), tested with the rows of one machine.
struct StudyFinding {
  // `depends`: the finding holds at some N only.
  enum class Answer : std::uint8_t { confirmed, refuted, depends, unknown };
  std::string claim;
  Answer answer = Answer::unknown;
  std::string evidence;  // the measured figures, or which measurements are missing
};
std::vector<StudyFinding> study_findings(const std::vector<StudyRow>& rows);

}  // namespace sextant
