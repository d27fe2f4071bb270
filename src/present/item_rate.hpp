// Formats rates in items per second, for kernels that do not count bytes or operations.
#pragma once

#include <optional>
#include <string>

#include "analysis/summary/summary.hpp"

namespace sextant {

// Items per second of Summary::work_time; nothing if unknown.
std::optional<double> item_rate(const Summary& summary);

std::string format_item_rate(double rate);  // "12.3 G items/s"

}  // namespace sextant
