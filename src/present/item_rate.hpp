// Rates of what kernels count in items, for those that have neither bytes nor operations.
#pragma once

#include <optional>
#include <string>

#include "analysis/summary/summary.hpp"

namespace sextant {

// Items per second of its working time.
std::optional<double> item_rate(const Summary& summary);

std::string format_item_rate(double rate);  // 12.3 G items/s

}  // namespace sextant
