// Report section on tuning: the cost of one default for all sizes, the differences between tunings, and the
// effect of each tunable.
#include <algorithm>
#include <map>
#include <set>

#include "analysis/study/tuning_loss.hpp"
#include "present/format.hpp"
#include "present/views.hpp"
#include "record/keys.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

// A figure shows only this many of the best tunings. Its caption says so.
constexpr std::size_t most_lines = 40;
constexpr double constant = 1.0005;  // ratios closer to 1 than this count as equal

double spread_of(const TuningMap& map) {
  double spread = 1;
  for (const TuningLoss& loss : map.tunings) spread = std::max(spread, loss.worst);
  return spread;
}

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
  return figure_html(
      {id_of_group(context, group) + "-tuning-" + slug(map.column), caption,
       "A map of tunings and sizes: 1 is the best tuning of that size, 2 takes twice its time."},
      heatmap_spec(map.sizes, names, {{}, "time over the best", "", true}, {layer}));
}

// Names a tunable's axis: "block_x". Values that are texts are explained: "T: 0 float, 1 double".
std::string axis_name(const std::string& name, const std::map<int, TunedValue>& values) {
  std::string texts;
  for (const auto& [number, value] : values)
    if (value.text) texts += (texts.empty() ? ": " : ", ") + std::to_string(number) + " " + value_text(value);
  return name + texts;
}

// Draws parallel coordinates for the largest size, if at least three tunables vary.
std::string parallel_figure(const Context& context, const StudyGroup& group, const TuningMap& map) {
  std::map<std::string, std::map<int, TunedValue>> values;
  std::vector<std::string> order;
  for (const TuningLoss& loss : map.tunings)
    for (const auto& [name, value] : loss.choices) {
      if (!values.contains(name)) order.push_back(name);
      values[name].emplace(value.number, value);
    }
  std::erase_if(order, [&](const std::string& name) { return values[name].size() < 2; });
  if (order.size() < 3) return "";
  Parallel parallel;
  for (const std::string& name : order) parallel.axes.push_back(axis_name(name, values[name]));
  for (std::size_t i = 0; i < map.tunings.size() && parallel.values.size() < 1000; ++i) {
    const auto over = map.over_best[i].back();
    if (!over) continue;
    std::map<std::string, double> chosen;
    for (const auto& [name, value] : map.tunings[i].choices) chosen[name] = value.number;
    std::vector<double>& line = parallel.choices.emplace_back();
    for (const std::string& name : order) line.push_back(chosen.contains(name) ? chosen[name] : 0);
    parallel.values.push_back(*over);
  }
  return figure_html(
      {id_of_group(context, group) + "-space-" + slug(map.column),
       "The space of tunings at " + map.sizes.back() + ": " + name_of_group(context, group) + ", " +
           map.variant,
       "Parallel coordinates: an axis a tunable, a line a tuning; dark and thick ones are the fastest."},
      parallel_spec(parallel));
}

Table loss_columns() {
  Table table;
  table.title = "What one tuning for all sizes loses";
  table.columns = {{"kernel"},
                   {"type"},
                   {"variant"},
                   {"tried", "tunings", Unit::count},
                   {"fixed", "best for all sizes"},
                   {"fixed_mean", "mean loss", Unit::percent},
                   {"fixed_worst", "worst loss", Unit::percent},
                   {"fixed_at", "at N"},
                   {"default_mean", "default: mean loss", Unit::percent},
                   {"default_worst", "default: worst loss", Unit::percent},
                   {"default_at", "at N"},
                   {"spread", "worst tuning", Unit::ratio}};
  table.note =
      "Loss: time beyond the best tuning of each size. The default is this build's, which may depend on the "
      "size. Worst tuning: the largest time over the best of its size.";
  return table;
}

std::vector<Cell> loss_row(const StudyGroup& group, const TuningMap& map) {
  std::vector<Cell> row = {group.front()->kernel, name_of(group.front()->type), map.variant,
                           static_cast<std::int64_t>(map.tunings.size())};
  const auto add = [&](const TuningLoss* loss, bool name) {
    if (name) row.push_back(loss ? Cell(loss->tuning) : Cell());
    row.push_back(loss ? Cell(loss->mean - 1) : Cell());
    row.push_back(loss ? Cell(loss->worst - 1) : Cell());
    row.push_back(loss && loss->worst > constant ? Cell(loss->worst_size) : Cell(""));
  };
  add(map.fixed, true);
  add(map.standard ? &*map.standard : nullptr, false);
  row.emplace_back(spread_of(map));
  return row;
}

// Clears the columns of losses if all losses are zero, as they are with only one size.
void blank_if_constant(Table* losses) {
  // columns of the best tuning over all sizes: mean loss, worst loss, and N of the worst loss
  constexpr std::size_t first = 5, count = 3;
  const bool none = std::all_of(losses->rows.begin(), losses->rows.end(), [](const std::vector<Cell>& row) {
    const auto* worst = std::get_if<double>(&row[first + 1].value);
    return !worst || *worst < constant - 1;
  });
  if (!none) return;
  for (std::vector<Cell>& row : losses->rows)
    for (std::size_t i = first; i < first + count; ++i) row[i] = Cell();
  losses->note += " The best for all sizes loses nothing beyond noise at any of them.";
}

// Data of a figure with one row per kernel: time of the default tuning and of the worst tuning, relative to
// the best.
struct Losses {
  std::vector<std::string> names;
  DotSeries standard{"default", {}}, worst{"worst tuning", {}};

  void add(const std::string& name, const TuningMap& map) {
    if (map.standard)
      standard.dots.push_back({names.size(), map.standard->worst, {}, {}, false, map.variant});
    worst.dots.push_back({names.size(), spread_of(map), {}, {}, false, map.variant});
    names.push_back(name);
  }
};

// Returns true if at least two tunings ran at the same size. Otherwise there is nothing to compare.
bool is_space(const TuningMap& map) {
  for (std::size_t x = 0; x < map.sizes.size(); ++x)
    if (std::count_if(map.over_best.begin(), map.over_best.end(),
                      [x](const auto& line) { return line[x].has_value(); }) > 1)
      return true;
  return false;
}

// Collects the search spaces (all tunings of a variant) of the page.
struct Spaces {
  Table losses = loss_columns();
  Losses drawn = {};
  std::string figures, worst_where;
  std::size_t count = 0, alike = 0;
  double worst_default = 1, worst = 1;

  void add(const Context& context, const StudyGroup& group, const TuningMap& map) {
    if (!is_space(map)) return;
    ++count;
    if (spread_of(map) < constant) {
      ++alike;
      return;
    }
    drawn.add(short_name_of(*group.front()) + " " + map.column, map);
    if (map.standard && map.standard->worst > worst_default) {
      worst_default = map.standard->worst;
      worst_where = name_of_group(context, group) + ", " + map.variant;
    }
    worst = std::max(worst, spread_of(map));
    const std::string space = parallel_figure(context, group, map);
    figures += space.empty() ? map_figure(context, group, map) : space;
    losses.rows.push_back(loss_row(group, map));
  }

  std::string sentence() const {
    if (losses.rows.empty())
      return count == 0 ? "Only each variant's default tuning was measured: `sextant run -t all` measures "
                          "all tunings."
                        : "Of " + std::to_string(count) + " tuning spaces, none differs beyond noise.";
    return "Of " + std::to_string(count) + " spaces of tunings " + std::to_string(count - alike) +
           " differ beyond noise, up to " + format_ratio(worst) + " the best" +
           (worst_where.empty() ? ""
                                : "; a default loses at most " + format_percent(worst_default - 1) + " (" +
                                      worst_where + ")") +
           ".";
  }

  std::string html() {
    if (losses.rows.empty()) return "";
    blank_if_constant(&losses);
    hide_empty_columns(&losses);
    return figure_html({"tuning-losses", "Time over the best tuning: the default and the worst of each space",
                        "A row a kernel and model: 1 is the best tuning. The table below holds the numbers."},
                       dots_spec({"time over the best tuning", "", true}, drawn.names, 0, 1.0,
                                 {{"", {drawn.standard, drawn.worst}}})) +
           html_table({losses, "tuning-loss"});
  }
};

}  // namespace

std::string tuning_section(const Context& context) {
  std::string html = section_open("tuning", "Tuning"), best;
  Spaces spaces;
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    for (const StudyGroup& group : machine.groups)
      for (const TuningMap& map : tuning_maps(group)) spaces.add(context, group, map);
    for (Table table : tuning_view(machine.rows).texts) {
      if (context.several()) table.title += ", on " + machine.label;
      best += html_table({table, "best-tuning" + machine_suffix(context, i)});
    }
  }
  if (best.empty() && spaces.count == 0)
    return html + "<p>No variant with a tuning was measured.</p>\n</section>\n";
  html += element("p", spaces.sentence()) + spaces.html();
  html += folded("The best tuning by N", best) + command_html(context, "--by tuning");
  if (!spaces.figures.empty())
    html += folded("The spaces", "<div class=\"figures\">\n" + spaces.figures + "</div>\n");
  return html + "</section>\n";
}

}  // namespace sextant::report
