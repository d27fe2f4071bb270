// How many cases, and about how long: without measuring anything.
#pragma once

#include <vector>

#include "engine/executor.hpp"
#include "present/table.hpp"

namespace sextant {

// One row a kernel and a note with the sum.
Table dry_run_table(const std::vector<Case>& cases, const Settings& settings);

}  // namespace sextant
