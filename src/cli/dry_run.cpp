#include "cli/dry_run.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "plan/guess.hpp"
#include "present/format.hpp"

namespace sextant {
namespace {

struct KernelRow {
  std::set<std::string> variants;
  std::int64_t cases = 0;
  double seconds = 0;
};

}  // namespace

Table dry_run_table(const std::vector<Case>& cases, const Settings& settings) {
  std::vector<std::string> order;
  std::map<std::string, KernelRow> rows;
  double total = 0;
  const Case* last = nullptr;
  for (const Case& one : cases) {
    if (!rows.contains(one.kernel)) order.push_back(one.kernel);
    KernelRow& row = rows[one.kernel];
    const bool first = !last || last->kernel != one.kernel || last->problem.type != one.problem.type ||
                       last->problem.extents != one.problem.extents ||
                       last->problem.parameters != one.problem.parameters;
    last = &one;
    const double seconds = guess_seconds(one, settings.min_samples, settings.case_seconds, first);
    row.variants.insert(one.variant);
    ++row.cases;
    row.seconds += seconds;
    total += seconds;
  }
  Table table;
  table.columns = {{"kernel"},
                   {"variants", "", Unit::count},
                   {"cases", "", Unit::count},
                   {"seconds", "about", Unit::number}};
  for (const std::string& kernel : order) {
    const KernelRow& row = rows[kernel];
    table.rows.push_back({kernel, static_cast<std::int64_t>(row.variants.size()), row.cases,
                          Cell(row.seconds).as(format_duration(row.seconds))});
  }
  table.note = fmt::format("{} cases, about {}", cases.size(), format_duration(total));
  return table;
}

}  // namespace sextant
