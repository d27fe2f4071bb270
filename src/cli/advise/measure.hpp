// Measures the cases that `sextant advise` needs for a sure answer.
#pragma once

#include <string>
#include <vector>

#include "cli/advise/answer.hpp"
#include "cli/advise/ground.hpp"

namespace sextant {

// Returns the next case that the answers need, or nothing. `done` are the cases measured so far, with any
// outcome.
std::optional<Case> next_to_measure(const std::vector<AnsweredQuestion>& answered,
                                    const std::vector<Case>& done);

// Measures the case as `sextant run` does and stores it in the file. Throws UserError like ResultsFile, and
// if it is interrupted.
void measure_case(const Case& what, const AdviceGround& ground, const std::string& file, bool quiet);

}  // namespace sextant
