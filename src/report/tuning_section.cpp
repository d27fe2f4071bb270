// Tuning: how much each launch parameter matters, and what one default for all sizes costs.
#include <algorithm>

#include "analysis/study/tuning_loss.hpp"
#include "present/format.hpp"
#include "present/views.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

// More lines than a map can show: the best ones are drawn, and the caption says so.
constexpr std::size_t most_lines = 40;

std::string map_figure(const Context& context, const StudyGroup& group, const TuningMap& map) {
  HeatLayer layer{"time over the best of the size", {}};
  std::vector<std::string> names;
  for (std::size_t y = 0; y < std::min(map.tunings.size(), most_lines); ++y) {
    names.push_back(map.tunings[y].tuning);
    for (std::size_t x = 0; x < map.sizes.size(); ++x)
      if (const auto over = map.over_best[y][x])
        layer.cells.push_back(
            {x, y, *over, format_ratio(*over), map.tunings[y].tuning + " at " + map.sizes[x]});
  }
  std::string caption =
      "Time over the best tuning of the size: " + name_of_group(context, group) + ", " + map.variant;
  if (map.tunings.size() > most_lines)
    caption += " (the best " + std::to_string(most_lines) + " of " + std::to_string(map.tunings.size()) + ")";
  return heatmap_figure(
      {id_of_group(context, group) + "-tuning-" + slug(map.column), caption,
       "A map of tunings and sizes: 1 is the best tuning of that size, 2 takes twice its time."},
      map.sizes, names, {{}, "time over the best", "", true}, {layer});
}

Table loss_columns() {
  Table table;
  table.title = "What one tuning for all sizes loses";
  table.columns = {{"kernel"},
                   {"variant"},
                   {"tried", "tunings", Unit::count},
                   {"fixed", "best for all sizes"},
                   {"fixed_mean", "mean loss", Unit::percent},
                   {"fixed_worst", "worst loss", Unit::percent},
                   {"fixed_at", "at N"},
                   {"default_mean", "default: mean loss", Unit::percent},
                   {"default_worst", "worst loss", Unit::percent},
                   {"default_at", "at N"},
                   {"spread", "worst tuning", Unit::ratio}};
  table.note =
      "Loss: time beyond the best tuning of each size. The default is this build's, which may depend on the "
      "size. Worst tuning: the largest time over the best of its size.";
  return table;
}

std::vector<Cell> loss_row(const Context& context, const StudyGroup& group, const TuningMap& map) {
  double spread = 1;
  for (const TuningLoss& loss : map.tunings) spread = std::max(spread, loss.worst);
  std::vector<Cell> row = {name_of_group(context, group), map.variant,
                           static_cast<std::int64_t>(map.tunings.size())};
  const auto add = [&](const TuningLoss* loss, bool name) {
    if (name) row.push_back(loss ? Cell(loss->tuning) : Cell());
    row.push_back(loss ? Cell(loss->mean - 1) : Cell());
    row.push_back(loss ? Cell(loss->worst - 1) : Cell());
    row.push_back(loss && loss->worst > 1.0005 ? Cell(loss->worst_size) : Cell(""));
  };
  add(map.fixed, true);
  add(map.standard ? &*map.standard : nullptr, false);
  row.emplace_back(spread);
  return row;
}

}  // namespace

std::string tuning_section(const Context& context) {
  std::string html = section_open("tuning", "Tuning"), figures;
  Table losses = loss_columns();
  for (const Machine& machine : context.machines)
    for (const StudyGroup& group : machine.groups)
      for (const TuningMap& map : tuning_maps(group)) {
        figures += map_figure(context, group, map);
        losses.rows.push_back(loss_row(context, group, map));
      }
  std::string best;
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    for (Table table : tuning_view(machine.rows).texts) {
      if (context.several()) table.title += ", on " + machine.label;
      best += html_table({table, "best-tuning" + (context.several() ? "-m" + std::to_string(i + 1) : "")});
    }
  }
  if (best.empty() && figures.empty())
    return html + "<p>No variant with a launch parameter was measured.</p>\n</section>\n";
  html += best + html_table({losses, "tuning-loss"});
  if (!figures.empty()) html += "<div class=\"figures\">\n" + figures + "</div>\n";
  return html + "</section>\n";
}

}  // namespace sextant::report
