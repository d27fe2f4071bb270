// Report section with a map of kernels and sizes. A cell's colour shows the fastest model, and the colour's
// strength its lead. Cells with a tie show all names.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/study/crossover.hpp"
#include "analysis/study/verdict.hpp"
#include "base/plural.hpp"
#include "present/advice_text.hpp"
#include "present/format.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

std::vector<std::string> sizes_of(const Machine& machine) {
  std::vector<const StudyRow*> rows;
  for (const StudyGroup& group : machine.groups) rows.insert(rows.end(), group.begin(), group.end());
  return sextant::sizes_of(rows);
}

// Returns the programming model that determines the colour.
std::string column_name(const Entrant& e) { return column_of(*e.summary); }

// Returns the number that a cell shows: the speed-up over the best CPU version. If the CPU is fastest, it is
// the speed-up over the second-fastest competitor.
double gain_of(const Standing& one) {
  return one.over_cpu.samples && !one.fastest().on_host ? one.over_cpu.median : one.lead.median;
}

std::string lead_text(const Standing& one) {
  if (!one.contested()) return "alone";
  const std::string text = format_ratio(gain_of(one));
  return text.substr(0, text.size() - 1) + "×";
}

std::string detail_of(const Standing& one, bool with_transfers) {
  const Summary& s = one.fastest();
  const Interval& time = with_transfers ? s.time_with_transfers() : s.call_time;
  std::string text = s.measurement->what.variant + ", " + format_seconds(time.median);
  if (one.over_cpu.samples && !s.on_host)
    text += ", " + format_ratio(one.over_cpu.median) + " the best CPU version";
  if (one.lead.samples)
    text += ", " + format_ratio(one.lead.median) + " the next (" + format_ratio(one.lead.low) + " to " +
            format_ratio(one.lead.high) + ")";
  if (*one.by) text += ", by " + std::string(one.by) + " time";
  if (one.tied())
    text += (one.equal() ? "; equal within 3 %: " : "; undecided between ") + text_of(one) +
            (one.equal() ? "" : ", medians " + format_ratio(one.apart) + " apart");
  if (!one.contested()) text += "; the only one measured";
  for (const std::string& name : one.missing) text += "; " + name + " not measured here";
  return text;
}

// Returns the strength of the colour: pale for a gain of a few per cent, full for a factor of four or more.
double strength_of(const Standing& one) {
  if (!one.contested() || !one.missing.empty()) return 0;
  if (one.tied()) return 0.35;
  return std::clamp(std::log2(std::max(gain_of(one), 1.0)) / 2, 0.04, 1.0);
}

// The classes of computation ("dwarfs") of Asanovic et al., "The Landscape of Parallel Computing Research"
// (2006).
// clang-format off
constexpr const char* dwarfs[] = {
    "dense", "sparse", "spectral", "N-body", "structured", "unstructured", "MapReduce", "combinational", "graph",
    "dynamic programming", "backtracking", "graphical models", "finite state machine", ""};
// clang-format on
// The map is ordered by dwarfs if there are at least this many.
constexpr std::size_t least_dwarfs = 3;

std::string dwarf_of(const StudyGroup& group) {
  const KernelDescription* description = group.front()->description;
  return description ? description->dwarf : "";
}

// The rows of the map: one per kernel, element type and cache mode. If there are several dwarfs, each dwarf's
// name has its own row above its kernels.
struct MapRows {
  std::vector<std::string> labels;
  std::vector<std::size_t> places;  // index in `labels` for each group of the machine
};

MapRows rows_of(const Machine& machine) {
  MapRows rows;
  rows.places.resize(machine.groups.size());
  std::set<std::string> named;
  for (const StudyGroup& group : machine.groups) named.insert(dwarf_of(group));
  named.erase("");
  const auto add = [&](std::size_t i) {
    rows.places[i] = rows.labels.size();
    rows.labels.push_back(short_name_of(*machine.groups[i].front()));
  };
  if (named.size() < least_dwarfs) {
    for (std::size_t i = 0; i < machine.groups.size(); ++i) add(i);
    return rows;
  }
  for (const std::string dwarf : dwarfs) {
    bool first = true;
    for (std::size_t i = 0; i < machine.groups.size(); ++i) {
      if (dwarf_of(machine.groups[i]) != dwarf) continue;
      if (first) rows.labels.push_back(dwarf.empty() ? "— others —" : "— " + dwarf + " —");
      first = false;
      add(i);
    }
  }
  return rows;
}

template <typename Visit>
void each_standing(const Machine& machine, bool with_transfers, Visit visit) {
  for (std::size_t y = 0; y < machine.groups.size(); ++y)
    for (const Standing& one : standings(machine.groups[y], with_transfers)) visit(y, one);
}

std::vector<std::string> categories_of(const Machine& machine) {
  std::set<std::string> leaders;
  for (const bool with_transfers : {false, true})
    each_standing(machine, with_transfers, [&](std::size_t, const Standing& one) {
      for (const Entrant& e : one.entrants)
        if (e.leads) leaders.insert(column_name(e));
    });
  std::vector<std::string> names;
  for (const char* column : study_columns)
    if (leaders.contains(column)) names.emplace_back(column);
  return names;
}

std::size_t index(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

HeatLayer layer(const Machine& machine, const MapRows& rows, const std::vector<std::string>& sizes,
                const std::vector<std::string>& categories, bool with_transfers) {
  HeatLayer result{with_transfers ? "with copies" : "without copies", {}};
  each_standing(machine, with_transfers, [&](std::size_t y, const Standing& one) {
    HeatCell cell;
    cell.x = index(sizes, one.row->size);
    cell.y = rows.places[y];
    cell.value = static_cast<double>(index(categories, column_name(one.entrants.front())));
    std::string names;
    for (const Entrant& e : one.entrants) {
      if (!e.leads) continue;
      names += (names.empty() ? ""
                : one.equal() ? " = "
                              : " or ") +
               (one.by_variant ? e.name.substr(e.name.find('.') + 1) : e.name);
      const std::size_t category = index(categories, column_name(e));
      if (static_cast<double>(category) != cell.value) cell.ties.push_back(category);
    }
    cell.label = names + (!one.tied() ? " " + lead_text(one) : one.equal() ? "" : "?");
    cell.detail = detail_of(one, with_transfers);
    cell.strength = strength_of(one);
    result.cells.push_back(std::move(cell));
  });
  return result;
}

Table verdicts(const Context& context, const Machine& machine) {
  Table table;
  table.title = "Who wins at which N" + (context.several() ? ", on " + machine.label : std::string());
  table.columns = {
      {"kernel"}, {"type"}, {"dwarf"}, {"threads"}, {"without", "without copies"}, {"with", "with copies"}};
  table.keys = 1;
  for (const StudyGroup& group : machine.groups) {
    const StudyRow& row = *group.front();
    table.rows.push_back({row.kernel + (row.cache == CacheMode::cold ? " (cold)" : ""), name_of(row.type),
                          dwarf_of(group).empty() ? Cell() : Cell(dwarf_of(group)),
                          row.threads.empty() ? Cell() : Cell(row.threads), verdict(group, false),
                          has_copies(group) ? Cell(verdict(group, true)) : Cell()});
  }
  drop_if_empty(&table, "dwarf");
  drop_if_empty(&table, "threads");
  drop_if_empty(&table, "with");
  if (!has_copies(machine)) table.columns.back().title = "fastest by N";
  return table;
}

std::string map_sentence(const Machine& machine) {
  std::map<std::string, std::size_t> leaders;
  std::size_t contested = 0, ties = 0, alone = 0;
  each_standing(machine, false, [&](std::size_t, const Standing& one) {
    if (!one.contested()) return void(++alone);
    ++contested;
    if (one.tied())
      ++ties;
    else
      ++leaders[column_name(one.entrants.front())];
  });
  std::string text = "Of " + plural(contested, "problem");
  for (const char* column : study_columns)
    if (leaders.contains(column))
      text += ", " + spoken(column) + " is the fastest at " + std::to_string(leaders[column]);
  if (ties) text += "; " + std::to_string(ties) + " are undecided";
  if (alone) text += "; of " + std::to_string(alone) + " more, left white, only one version was measured";
  text += ". The colour is the fastest model's, pale where it gains little. ";
  if (ties) text += "Stripes: undecided, “a = b” where the times are equal within 3 %, else “a or b?”. ";
  return text +
         (has_copies(machine)
              ? "Numbers: times as fast as the best CPU version, or as the next model where the CPU leads."
              : "Numbers: times as fast as the next model.");
}

std::string words(const Context& context, const Machine& machine) {
  std::string html;
  for (const StudyGroup& group : machine.groups) {
    std::string items;
    for (const bool with_transfers : {false, true})
      for (const Crossover& c : crossovers(group, with_transfers))
        items +=
            "<li>" + std::string(with_transfers ? "With copies, " : "") + escape(sentence_of(c)) + ".</li>\n";
    if (!items.empty())
      html += "<dt>" + escape(name_of_group(context, group)) + "</dt><dd><ul>" + items + "</ul></dd>\n";
  }
  return html.empty()
             ? ""
             : "<p>Faster: by more than the noise between runs of both times. By medians: where the two "
               "medians cross; another run may move this point.</p>\n<dl class=\"words\">\n" +
                   html + "</dl>\n";
}

}  // namespace

std::string map_section(const Context& context) {
  std::string html = section_open("map", "Who wins where");
  bool any = false;
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    if (machine.groups.empty()) continue;
    any = true;
    const std::vector<std::string> sizes = sizes_of(machine), categories = categories_of(machine);
    const MapRows rows = rows_of(machine);
    const std::string suffix = machine_suffix(context, i);
    html += machine_heading(context, machine) + element("p", map_sentence(machine));
    std::vector<HeatLayer> layers = {layer(machine, rows, sizes, categories, false)};
    if (has_copies(machine)) layers.push_back(layer(machine, rows, sizes, categories, true));
    html += figure_html(
        {"wins-map" + suffix, "The fastest model at each kernel and N (elements of all arrays)",
         "A map of kernels and sizes coloured by the fastest model; the table below holds the same."},
        heatmap_spec(sizes, rows.labels, {categories, "", "", false}, layers));
    html += html_table({verdicts(context, machine), "winners" + suffix});
    html += command_html(context, "--by verdict");
    html += folded("From which size on each model is faster", words(context, machine));
  }
  if (!any) html += "<p>No kernel was measured correctly.</p>\n";
  return html + "</section>\n";
}

}  // namespace sextant::report
