// What a machine's results say, in plain sentences; all numbers come from the results.
#pragma once

#include <string>
#include <vector>

#include "analysis/groups.hpp"

namespace sextant {

// The sentences that say most about the rows of one machine, the first ones first: who wins how often, the
// largest gain, where transfers decide, how near the ceilings, what is missing. Never empty: with nothing
// measured it says so.
std::vector<std::string> findings(const std::vector<StudyRow>& rows);

// A finding of the source study (L. Navarro Lorente) held against the rows of one machine.
struct StudyFinding {
  enum class Answer : std::uint8_t { confirmed, refuted, unknown };
  std::string claim;
  Answer answer = Answer::unknown;
  std::string evidence;  // the measured figures, or what is missing
};
std::vector<StudyFinding> study_findings(const std::vector<StudyRow>& rows);

}  // namespace sextant
