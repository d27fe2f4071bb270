// Formats ceilings (measured hardware limits) as text and tables.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/compare.hpp"
#include "present/table.hpp"
#include "record/environment.hpp"

namespace sextant {

// Returns the unit of the ceiling's value: "s", "FLOP/s", "op/s" or "B/s".
const char* unit_of(const Ceiling& ceiling);
// Formats a ceiling's value: "12.3 GB/s", "4350 GB/s", "4.10 µs". Each unit always has the same prefix.
std::string format_value(const Ceiling& ceiling);

// Returns a table of the few ceilings that differ most between two sides, or of all ceilings. Ceilings that
// differ by more than `threshold` and beyond their intervals come first. The title gives their number. The
// title is empty if there are no ceilings.
Table ceilings_table(const std::vector<ComparedCeiling>& ceilings, double threshold, bool all);

}  // namespace sextant
