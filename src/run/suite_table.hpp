// Prints the table of programs that ends a run of a suite of programs. `show --by suite` prints the same
// table.
#pragma once

#include <string>
#include <vector>

#include "plan/selection.hpp"
#include "record/results.hpp"

namespace sextant {

// Returns true if the selection contains only suites of whole programs.
bool is_suite_of_programs(const Selection& selection);

// Returns the table of the programs and problems in `cases`, from the measurements of this machine in
// `results`. The text is empty if there are none.
std::string suite_table(const Results& results, const std::vector<Case>& cases, const std::string& machine,
                        bool colour, int columns);

}  // namespace sextant
