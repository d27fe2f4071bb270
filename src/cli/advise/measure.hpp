// Measuring what an answer of `sextant advise` needs to be sure.
#pragma once

#include <string>
#include <vector>

#include "cli/advise/answer.hpp"
#include "cli/advise/ground.hpp"

namespace sextant {

// The next case that the answers ask for, or nothing; `done` are those that were measured, whatever came of
// it.
std::optional<Case> next_to_measure(const std::vector<AnsweredQuestion>& answered,
                                    const std::vector<Case>& done);

// Measures it as `sextant run` does, and keeps it in the file. Throws UserError as ResultsFile does, and
// where it is interrupted.
void measure_case(const Case& what, const AdviceGround& ground, const std::string& file, bool quiet);

}  // namespace sextant
