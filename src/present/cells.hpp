// Makes table cells from values that may be unknown.
#pragma once

#include <optional>

#include "present/table.hpp"
#include "record/input_fill.hpp"
#include "record/statistics.hpp"

namespace sextant {

inline Cell known(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }
inline Cell known(const std::optional<std::int64_t>& value) { return value ? Cell(*value) : Cell(); }
inline Cell median_of(const Interval& interval) { return interval.samples ? Cell(interval.median) : Cell(); }
// Empty for uniform inputs.
inline Cell cell_of(InputFill fill) { return fill == InputFill::uniform ? Cell() : Cell(name_of(fill)); }

}  // namespace sextant
