#include "present/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
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
  constexpr std::size_t most = 5;  // largest number of rows without `all`
  Table table;
  if (ceilings.empty()) return table;
  table.columns = {{"device"},
                   {"ceiling"},
                   {"footprint", "footprint", Unit::bytes},
                   {"base", "before", Unit::number},
                   {"other", "now", Unit::number},
                   {"ratio", "now/before", Unit::number},
                   {.name = "interval", .title = "its bounds", .unit = Unit::number, .spare = 1}};
  std::vector<const ComparedCeiling*> order;
  for (const ComparedCeiling& one : ceilings) order.push_back(&one);
  // Returns the absolute logarithm of a ceiling's ratio between the sides, or 0 if the difference is not
  // significant.
  const auto distance = [&](const ComparedCeiling* one) {
    return differs(*one, threshold) ? std::abs(std::log(one->ratio.median)) : 0;
  };
  std::stable_sort(order.begin(), order.end(), [&](const ComparedCeiling* a, const ComparedCeiling* b) {
    return distance(a) > distance(b);
  });
  const auto differing = static_cast<std::size_t>(std::count_if(
      order.begin(), order.end(), [&](const ComparedCeiling* one) { return differs(*one, threshold); }));
  const std::size_t shown = all ? order.size() : std::min(differing, most);
  for (std::size_t i = 0; i < shown; ++i) {
    const ComparedCeiling& one = *order[i];
    Ceiling now = one.base;
    now.value = one.other;
    const bool known = one.ratio.samples > 0;
    table.rows.push_back(
        {now.device, now.name, now.footprint ? Cell(now.footprint) : Cell(),
         Cell(one.base.value).as(format_value(one.base)), Cell(now.value).as(format_value(now)),
         known ? Cell(one.ratio.median).as(fmt::format("{:.3f}", one.ratio.median)) : Cell(),
         known ? Cell(one.ratio.low).as(fmt::format("{:.3g} to {:.3g}", one.ratio.low, one.ratio.high))
               : Cell()});
  }
  table.title = fmt::format("Ceilings that both sides measured: {} of {} differ beyond their bounds{}",
                            differing, ceilings.size(), table.rows.empty() ? "." : ":");
  if (shown < differing) table.note = fmt::format("  and {} more: --all lists them", differing - shown);
  return table;
}

}  // namespace sextant
