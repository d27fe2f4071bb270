// View of `sextant show --by size`: rates over N as a table, with one column per variant and one line per N.
#include <algorithm>
#include <utility>

#include "analysis/study/sizes.hpp"
#include "analysis/study/standing.hpp"
#include "present/cells.hpp"
#include "present/format.hpp"
#include "present/views.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

using Rate = std::optional<double> SizePoint::*;

// Groups the indices of variants by model. One table of all variants would be too wide.
std::vector<std::pair<std::string, std::vector<std::size_t>>> by_model(const SizeCurves& curves) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> models;
  for (std::size_t i = 0; i < curves.variants.size(); ++i) {
    const std::string model = model_of(curves.variants[i]);
    if (models.empty() || models.back().first != model) models.push_back({model, {}});
    models.back().second.push_back(i);
  }
  return models;
}

// Returns a table of one kind of rate over N, with one column for each variant in `columns`. The last column
// names the fastest variant of all models.
Table curve_table(const StudyGroup& group, const SizeCurves& curves, const std::vector<std::size_t>& columns,
                  Rate rate, const std::string& what) {
  Table table;
  table.title = title_of(*group.front()) + ": " + what;
  table.columns = {{"size", "N", Unit::count}};
  for (const std::size_t i : columns)
    table.columns.push_back(
        {curves.variants[i], curves.variants[i].substr(curves.variants[i].find('.') + 1), Unit::number});
  table.columns.push_back({"ahead", "fastest of all"});
  for (const SizeLine& line : curves.lines) {
    std::vector<Cell> cells = {line.row->size};
    for (const std::size_t i : columns) {
      const std::optional<double>& value = line.points[i].*rate;
      const Tone tone = line.ahead == i ? Tone::good : Tone::plain;
      cells.push_back(value ? Cell(*value, tone).as(format_significant(*value * 1e-9)) : Cell());
    }
    cells.push_back(line.ahead ? Cell(curves.variants[*line.ahead]) : Cell());
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// Returns any correct result of the group; null if there is none.
const Summary* best_of(const StudyGroup& group) {
  for (const StudyRow* row : group)
    if (!row->best.empty()) return row->best.begin()->second;
  return nullptr;
}

bool on_device(const StudyGroup& group) {
  return std::any_of(group.begin(), group.end(), [](const StudyRow* row) {
    return std::any_of(row->all.begin(), row->all.end(),
                       [](const Summary* s) { return s->ok() && !s->on_host; });
  });
}

// Returns a table of the rate of each model's best variant over N, and of the fastest model.
Table models_table(const StudyGroup& group, bool flops) {
  const std::vector<std::string> columns = columns_of(group);
  Table table;
  table.title = title_of(*group.front()) + ": the best of each model" + (flops ? ", GFLOP/s" : ", GB/s");
  table.columns = {{"size", "N", Unit::count}};
  for (const std::string& column : columns) table.columns.push_back({column, column, Unit::number});
  table.columns.push_back({"fastest"});
  for (const StudyRow* row : group) {
    const std::vector<Standing> standing = standings({row}, false);
    if (standing.empty()) continue;
    const std::vector<std::string> leaders = standing[0].leaders();
    std::vector<Cell> cells = {row->size};
    for (const std::string& column : columns) {
      const auto found = row->best.find(column);
      const std::optional<double> rate = found == row->best.end() ? std::nullopt
                                         : flops                  ? found->second->flop_rate
                                                                  : found->second->bandwidth;
      const bool leads = std::find(leaders.begin(), leaders.end(), column) != leaders.end();
      const Tone tone = leads ? Tone::good : Tone::plain;
      cells.push_back(rate ? Cell(*rate, tone).as(format_significant(*rate * 1e-9)) : Cell());
    }
    cells.emplace_back(text_of(standing[0]) + (standing[0].equal()  ? ": equal"
                                               : standing[0].tied() ? ": open"
                                                                    : ""));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

bool any(const SizeCurves& curves, Rate rate) {
  for (const SizeLine& line : curves.lines)
    for (const SizePoint& point : line.points)
      if (point.*rate && *(point.*rate) > 0) return true;
  return false;
}

void add_rows(const SizeCurves& curves, Table* rows) {
  for (const SizeLine& line : curves.lines)
    for (std::size_t i = 0; i < line.points.size(); ++i) {
      const SizePoint& point = line.points[i];
      if (!point.summary) continue;
      const StudyRow& row = *line.row;
      rows->rows.push_back({row.machine, row.kernel, name_of(row.type),
                            row.n && row.size == std::to_string(row.n) ? Cell(row.n) : Cell(row.size),
                            row.cache == CacheMode::cold ? "cold" : "warm", cell_of(row.fill),
                            row.threads.empty() ? Cell() : Cell(row.threads), curves.variants[i],
                            tuning_text(point.summary->measurement->what.tuning), known(point.flop_rate),
                            known(point.item_rate), known(point.bandwidth), line.ahead == i});
    }
}

}  // namespace

View size_view(const std::vector<StudyRow>& rows) {
  View view;
  view.rows.columns = {{"machine"},   {"kernel"},    {"type"},    {"size"},   {"cache"},
                       {"fill"},      {"threads"},   {"variant"}, {"tuning"}, {"flop_rate"},
                       {"item_rate"}, {"bandwidth"}, {"ahead"}};
  for (const StudyGroup& group : study_groups(rows)) {
    const SizeCurves curves = size_curves(group);
    const bool flops = any(curves, &SizePoint::flop_rate);
    if (columns_of(group).size() > 1 && best_of(group) && (flops || any(curves, &SizePoint::bandwidth)))
      view.texts.push_back(models_table(group, flops && counts_flops(*best_of(group))));
    for (const auto& [model, columns] : by_model(curves)) {
      if (flops || any(curves, &SizePoint::bandwidth))
        view.texts.push_back(curve_table(group, curves, columns,
                                         flops ? &SizePoint::flop_rate : &SizePoint::bandwidth,
                                         model + (flops ? ", GFLOP/s" : ", GB/s")));
      if (any(curves, &SizePoint::item_rate))
        view.texts.push_back(curve_table(group, curves, columns, &SizePoint::item_rate,
                                         model + ", 1e9 points (elements, updates) a second"));
    }
    if (!view.texts.empty())
      view.texts.back().note =
          std::string(
              "  Each variant at its best tuning. GB/s: each input and each output element "
              "once, divided by the time") +
          (on_device(group) ? " (device time where available)." : ".");
    add_rows(curves, &view.rows);
  }
  return view;
}

}  // namespace sextant
