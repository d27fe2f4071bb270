// How many cases, and about how long: without measuring anything.
#pragma once

#include <vector>

#include "cli/table.hpp"
#include "engine/executor.hpp"

namespace sextant {

// A rough guess in seconds, from the kernel's work and what machines of today do. The first case of a problem
// has its reference to compute.
double guess_seconds(const Case& what, const Settings& settings, bool first_of_problem = true);

// One row a kernel and a note with the sum.
Table dry_run_table(const std::vector<Case>& cases, const Settings& settings);

}  // namespace sextant
