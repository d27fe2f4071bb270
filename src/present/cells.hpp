// Makes table cells from values that may be unknown.
#pragma once

#include <optional>

#include "present/table.hpp"
#include "record/statistics.hpp"

namespace sextant {

inline Cell known(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }
inline Cell known(const std::optional<std::int64_t>& value) { return value ? Cell(*value) : Cell(); }
inline Cell median_of(const Interval& interval) { return interval.samples ? Cell(interval.median) : Cell(); }

}  // namespace sextant
