// Where each model wins: a map of kernels and sizes, and the crossovers in words.
#include <algorithm>
#include <map>
#include <set>

#include "analysis/study/crossover.hpp"
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

std::string detail_of(const StudyRow& row, const Winner& first, bool with_transfers) {
  const Interval& time = with_transfers ? first.summary->time_with_transfers() : first.summary->call_time;
  std::string text = first.summary->measurement->what.variant + ", " + format_seconds(time.median);
  if (first.over_cpu.samples && !first.summary->on_host)
    text += ", " + format_ratio(first.over_cpu.median) + " the best CPU version";
  for (const std::string& tie : first.ties) text += "; tied with " + tie;
  if (row.best_by(with_transfers).size() == 1) text += "; the only one measured";
  return text;
}

// The colours: the columns that win somewhere, and ties.
std::vector<std::string> categories_of(const Machine& machine) {
  std::set<std::string> winners;
  bool ties = false;
  for (const StudyGroup& group : machine.groups)
    for (const StudyRow* row : group)
      for (const bool with_transfers : {false, true})
        if (const auto first = winner(*row, with_transfers)) {
          if (first->ties.empty()) winners.insert(first->column);
          ties = ties || !first->ties.empty();
        }
  std::vector<std::string> names;
  for (const char* column : study_columns)
    if (winners.contains(column)) names.emplace_back(column);
  if (ties) names.emplace_back("tie");
  return names;
}

std::string group_label(const StudyGroup& group) {
  const StudyRow& row = *group.front();
  return short_name_of(row);
}

HeatLayer layer(const Machine& machine, const std::vector<std::string>& sizes,
                const std::vector<std::string>& categories, bool with_transfers) {
  const auto index = [](const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  HeatLayer result{with_transfers ? "with transfers" : "without transfers", {}};
  for (std::size_t y = 0; y < machine.groups.size(); ++y)
    for (const StudyRow* row : machine.groups[y])
      if (const auto first = winner(*row, with_transfers)) {
        const std::string category = first->ties.empty() ? first->column : "tie";
        std::string label = first->column;
        for (const std::string& tie : first->ties) label += " = " + tie;
        result.cells.push_back({index(sizes, row->size), y, static_cast<double>(index(categories, category)),
                                label, detail_of(*row, *first, with_transfers)});
      }
  return result;
}

Table winners_table(const Context& context, const Machine& machine, const std::vector<std::string>& sizes,
                    bool with_transfers) {
  Table table;
  table.title = std::string("Fastest ") + (with_transfers ? "with" : "without") + " transfers" +
                (context.several() ? ", on " + machine.label : "");
  table.columns = {{"kernel"}, {"type"}, {"threads"}};
  for (const std::string& size : sizes) table.columns.push_back({size});
  for (const StudyGroup& group : machine.groups) {
    const StudyRow& row = *group.front();
    std::vector<Cell> cells = {row.kernel + (row.cache == CacheMode::cold ? " (cold)" : ""),
                               name_of(row.type), row.threads.empty() ? Cell() : Cell(row.threads)};
    cells.resize(table.columns.size());
    for (const StudyRow* one : group)
      if (const auto first = winner(*one, with_transfers)) {
        std::string text = first->column;
        for (const std::string& tie : first->ties) text += " = " + tie;
        if (first->over_cpu.samples && !first->summary->on_host)
          text += " " + format_ratio(first->over_cpu.median);
        const auto place = std::find(sizes.begin(), sizes.end(), one->size);
        cells[3 + static_cast<std::size_t>(place - sizes.begin())] =
            Cell(text, first->ties.empty() ? Tone::plain : Tone::quiet);
      }
    table.rows.push_back(std::move(cells));
  }
  drop_if_empty(&table, "threads");
  table.note = "Ratios: over the best CPU version. a = b: a is fastest in the median, b within noise of it.";
  return table;
}

std::string words(const Context& context, const Machine& machine) {
  std::string html;
  for (const StudyGroup& group : machine.groups) {
    std::string items;
    for (const bool with_transfers : {false, true})
      for (const Crossover& c : crossovers(group, with_transfers))
        items += "<li>" + std::string(with_transfers ? "With transfers, " : "") + escape(sentence_of(c)) +
                 ".</li>\n";
    if (!items.empty())
      html += "<dt>" + escape(name_of_group(context, group)) + "</dt><dd><ul>" + items + "</ul></dd>\n";
  }
  if (html.empty()) return "";
  return "<details open><summary>Crossover sizes in words</summary>\n<dl class=\"words\">\n" + html +
         "</dl></details>\n";
}

}  // namespace

std::string wins_section(const Context& context) {
  std::string html = section_open("wins", "Where each model wins");
  bool any = false;
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    if (machine.groups.empty()) continue;
    any = true;
    html += machine_heading(context, machine);
    const std::vector<std::string> sizes = sizes_of(machine), categories = categories_of(machine);
    std::vector<std::string> kernels;
    for (const StudyGroup& group : machine.groups) kernels.push_back(group_label(group));
    const std::string number = context.several() ? "-m" + std::to_string(i + 1) : "";
    html +=
        heatmap_figure({"wins-map" + number,
                        "The fastest model at each kernel and size, without and with transfers. Ties are "
                        "within the noise of the measurement.",
                        "A map of kernels and sizes coloured by the fastest model; the tables below hold "
                        "the same."},
                       sizes, kernels, {categories, "", "", false},
                       {layer(machine, sizes, categories, false), layer(machine, sizes, categories, true)});
    for (const bool with_transfers : {false, true})
      html += html_table({winners_table(context, machine, sizes, with_transfers),
                          std::string("winners") + (with_transfers ? "-with-transfers" : "") + number});
    html += words(context, machine);
  }
  if (!any) html += "<p>No kernel was measured correctly.</p>\n";
  return html + "</section>\n";
}

}  // namespace sextant::report
