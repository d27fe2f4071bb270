#include "present/ceilings.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "present/digits.hpp"
#include "present/format.hpp"

namespace sextant {

const char* unit_of(const Ceiling& c) {
  if (c.name.starts_with("launch") || c.name.ends_with("_latency") || c.name.ends_with("_time")) return "s";
  return c.name.starts_with("fp") ? "FLOP/s" : c.name.starts_with("int") ? "op/s" : "B/s";
}

std::string format_value(const Ceiling& c) {
  const std::string unit = unit_of(c);
  return unit == "s" ? format_digits(1e6 * c.value) + " µs" : format_digits(1e-9 * c.value) + " G" + unit;
}

Table ceilings_table(const std::vector<ComparedCeiling>& ceilings, double threshold, bool all) {
  Table table;
  if (ceilings.empty()) return table;
  table.columns = {{"device"},
                   {"ceiling"},
                   {"footprint", "footprint", Unit::bytes},
                   {"base", "before", Unit::number},
                   {"other", "now", Unit::number},
                   {"ratio", "now/before", Unit::number}};
  std::size_t moved = 0;
  for (const ComparedCeiling& one : ceilings) {
    Ceiling now = one.base;
    now.value = one.other;
    const double ratio = one.base.value > 0 ? one.other / one.base.value : 1;
    const bool beyond = std::abs(std::log(ratio)) > std::log1p(threshold);
    moved += beyond;
    if (!all && !beyond) continue;
    table.rows.push_back({now.device, now.name, now.footprint ? Cell(now.footprint) : Cell(),
                          Cell(one.base.value).as(format_value(one.base)),
                          Cell(now.value).as(format_value(now)),
                          Cell(ratio).as(fmt::format("{:.3f}", ratio))});
  }
  table.title = fmt::format("Ceilings that both sides measured: {} of {} differ by more than {}{}", moved,
                            ceilings.size(), format_percent(threshold), table.rows.empty() ? "." : ":");
  return table;
}

}  // namespace sextant
