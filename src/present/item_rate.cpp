#include "present/item_rate.hpp"

#include <cmath>

#include "present/format.hpp"

namespace sextant {

std::optional<double> item_rate(const Summary& summary) {
  const double time = summary.work_time().median;
  const std::int64_t items = summary.measurement->work.items;
  if (!summary.ok() || !(time > 0) || items <= 0) return std::nullopt;
  return static_cast<double>(items) / time;
}

std::string format_item_rate(double rate) {
  const char* prefix = "";
  for (const char* next : {"k ", "M ", "G ", "T "}) {
    if (!(std::abs(rate) >= 999.5)) break;
    rate /= 1000;
    prefix = next;
  }
  return format_significant(rate) + " " + prefix + "items/s";
}

}  // namespace sextant
