// Report section that compares programming models by their mean speed-up (geometric) in each group of
// kernels.
#include <algorithm>
#include <map>

#include "analysis/study/advice.hpp"
#include "present/format.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

double time_of(const Summary& summary, bool with_transfers) {
  const Interval& time = with_transfers ? summary.end_to_end_time : summary.call_time;
  return time.samples ? time.median : 0;
}

bool has(const std::vector<const StudyRow*>& rows, const std::string& column, bool with_transfers) {
  return std::any_of(rows.begin(), rows.end(), [&](const StudyRow* row) {
    const auto found = row->best_by(with_transfers).find(column);
    return found != row->best_by(with_transfers).end() && time_of(*found->second, with_transfers) > 0;
  });
}

// Returns the model's speed-up over `baseline` for each problem that both solved.
std::vector<double> ratios(const std::vector<const StudyRow*>& rows, const std::string& column,
                           const std::string& baseline, bool with_transfers) {
  std::vector<double> values;
  for (const StudyRow* row : rows) {
    const auto& best = row->best_by(with_transfers);
    const auto own = best.find(column), other = best.find(baseline);
    if (own == best.end() || other == best.end()) continue;
    const double time = time_of(*own->second, with_transfers), base = time_of(*other->second, with_transfers);
    if (time > 0 && base > 0) values.push_back(base / time);
  }
  return values;
}

// Makes a table with one row per group of kernels and one column per model. It has no rows if there is
// nothing to compare.
Table table_of(const std::vector<const StudyRow*>& rows, bool with_transfers) {
  Table table;
  std::string baseline = "cuda";
  if (!has(rows, baseline, with_transfers)) baseline = "openmp";
  if (!has(rows, baseline, with_transfers)) return table;
  std::vector<std::string> models, groups;
  for (const char* column : study_columns)
    if (has(rows, column, with_transfers)) models.emplace_back(column);
  if (models.size() < 2) return table;
  std::map<std::string, std::vector<const StudyRow*>> members;
  for (const StudyRow* row : rows) {
    if (!members.contains(row->group)) groups.push_back(row->group);
    members[row->group].push_back(row);
  }
  table.title = std::string(with_transfers       ? "With allocation and copies: times"
                            : baseline == "cuda" ? "Without copies: times"
                                                 : "Times") +
                " as fast as " + baseline;
  table.columns = {{"group"}};
  for (const std::string& model : models) table.columns.push_back({slug(model), model, Unit::ratio});
  table.keys = 1;
  for (const std::string& group : groups) {
    std::vector<Cell> cells = {group.empty() ? Cell("others") : Cell(group)};
    bool any = false;
    for (const std::string& model : models) {
      const Spread spread = spread_of(ratios(members[group], model, baseline, with_transfers));
      any = any || (spread.count > 0 && model != baseline);
      cells.push_back(
          spread.count
              ? Cell(spread.mean).as(format_ratio(spread.mean) + " (" + std::to_string(spread.count) + ")")
              : Cell());
    }
    if (any) table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string tables_of(const std::vector<StudyRow>& all, const std::string& file) {
  std::vector<const StudyRow*> rows;
  for (const StudyRow& row : all)
    if (row.cache == CacheMode::warm) rows.push_back(&row);
  std::string html;
  for (const bool with_transfers : {false, true})
    html += html_table({table_of(rows, with_transfers), file + (with_transfers ? "-passes" : "-calls")});
  return html;
}

}  // namespace

std::string models_section(const Context& context) {
  std::string html;
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    std::string own;
    std::size_t part = 0;
    for (const auto& [threads, rows] : by_threads(machine.rows)) {
      const std::string number = part++ ? "-" + std::to_string(part) : "";
      const std::string tables = tables_of(rows, "models" + machine_suffix(context, i) + number);
      if (!tables.empty()) own += (threads.empty() ? "" : element("h4", threads)) + tables;
    }
    if (!own.empty()) html += machine_heading(context, machine) + own;
  }
  if (html.empty()) return "";
  return section_open("models", "The models by group") +
         "<p>Geometric means over the kernels, types and sizes that both models have, with their number "
         "in brackets; each model counts with its fastest variant.</p>\n" +
         html + "</section>\n";
}

}  // namespace sextant::report
