// Ceilings as people read them.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/compare.hpp"
#include "present/table.hpp"
#include "record/environment.hpp"

namespace sextant {

// What the ceiling's value counts: "s", "FLOP/s", "op/s" or "B/s".
const char* unit_of(const Ceiling& ceiling);
std::string format_value(
    const Ceiling& ceiling);  // "12.3 GB/s", "4350 GB/s", "4.10 µs": one prefix for each unit

// Two sides' ceilings, those that differ by more than the threshold; with `all` each. The title says how
// many; it is empty where there are none.
Table ceilings_table(const std::vector<ComparedCeiling>& ceilings, double threshold, bool all);

}  // namespace sextant
