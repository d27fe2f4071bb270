// Measures the cases that `sextant advise` needs for a sure answer.
#pragma once

#include <string>
#include <vector>

#include "cli/advise/answer.hpp"
#include "cli/advise/ground.hpp"
#include "engine/form/settings.hpp"
#include "store/results_file.hpp"

namespace sextant {

// Returns the next case to measure for the answers, or nothing. `done` lists the cases that were already
// measured, whatever their outcome.
std::optional<Case> next_to_measure(const std::vector<AnsweredQuestion>& answered,
                                    const std::vector<Case>& done);

// Returns the session that stores measurements of `cases` with these settings. Predictions need this
// machine's ceilings (measured limits), so the session has them.
Session session_of(const std::vector<Case>& cases, const Settings& settings, const AdviceGround& ground);

// Measures the case as `sextant run` does and stores it in the file. Throws UserError if ResultsFile does, or
// if it is interrupted.
void measure_case(const Case& what, const AdviceGround& ground, const std::string& file, bool quiet);

}  // namespace sextant
