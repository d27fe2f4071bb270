// What a run of a suite of programs ends with: all of them in one table (`show --by suite`).
#pragma once

#include <string>
#include <vector>

#include "plan/selection.hpp"
#include "record/results.hpp"

namespace sextant {

// Whether the selection is of suites that hold programs alone, which are read side by side.
bool is_suite_of_programs(const Selection& selection);

// The table of the programs and problems of these cases, by what `results` holds of them on this machine.
// Empty where that is nothing.
std::string suite_table(const Results& results, const std::vector<Case>& cases, const std::string& machine,
                        bool colour, int columns);

}  // namespace sextant
