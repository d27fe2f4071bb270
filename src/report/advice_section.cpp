// Report section that compares the trained model's advice with the measurements: a map of kernels and sizes,
// and a table of the problems where they differ.
#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/study/standing.hpp"
#include "base/plural.hpp"
#include "present/format.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

// The advice for one problem, compared with the measurement.
struct Judged {
  std::size_t y = 0;  // row of the map
  Standing standing;
  Advised advised;
  bool agrees = false;  // true if the advised model is the fastest, or tied with it
  double loss = 0;      // time of the advised model over the fastest time, minus 1
};

double time_of(const Summary& summary, bool with_transfers) {
  return (with_transfers ? summary.time_with_transfers() : summary.call_time).median;
}

// Compares advice and measurement for problems that several models solved. Omits problems without advice.
std::vector<Judged> judge(const Context& context, const Machine& machine, bool with_transfers) {
  std::vector<Judged> all;
  for (std::size_t y = 0; y < machine.groups.size(); ++y)
    for (const Standing& one : standings(machine.groups[y], with_transfers)) {
      const std::map<std::string, const Summary*>& best = one.row->best_by(with_transfers);
      std::vector<std::string> columns;
      for (const auto& [column, summary] : best) columns.push_back(column);
      if (columns.size() < 2) continue;
      const std::optional<Advised> advised = context.options.advise(
          {machine.sessions, one.fastest().measurement->what, columns, with_transfers});
      if (!advised || !best.contains(advised->column)) continue;
      Judged judged = {y, one, *advised};
      judged.agrees = std::any_of(one.entrants.begin(), one.entrants.end(), [&](const Entrant& e) {
        return e.leads && column_of(*e.summary) == advised->column;
      });
      if (!judged.agrees)
        judged.loss =
            time_of(*best.at(advised->column), with_transfers) / time_of(one.fastest(), with_transfers) - 1;
      all.push_back(std::move(judged));
    }
  return all;
}

std::vector<std::string> sizes_of(const std::vector<Judged>& judged) {
  std::vector<const StudyRow*> rows;
  for (const Judged& one : judged) rows.push_back(one.standing.row);
  return sextant::sizes_of(rows);
}

std::size_t index(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::string loss_text(double loss) { return "+" + format_percent(loss); }

std::string detail_of(const Judged& one, bool with_transfers) {
  const Summary& fastest = one.standing.fastest();
  std::string text = "advised: " + one.advised.column + ", expected " + format_seconds(one.advised.seconds) +
                     (one.advised.sure ? "" : " (not sure)") +
                     "; fastest: " + fastest.measurement->what.variant + ", " +
                     format_seconds(time_of(fastest, with_transfers));
  return one.agrees ? text : text + "; the advice takes " + loss_text(one.loss);
}

HeatLayer layer_of(const std::vector<Judged>& judged, const std::vector<std::string>& sizes,
                   const std::vector<std::string>& categories, bool with_transfers) {
  HeatLayer layer{with_transfers ? "with copies" : "without copies", {}};
  for (const Judged& one : judged) {
    HeatCell cell;
    cell.x = index(sizes, one.standing.row->size), cell.y = one.y;
    cell.value = static_cast<double>(index(categories, one.advised.column));
    cell.label = one.advised.column + (one.agrees ? "" : " " + loss_text(one.loss));
    cell.detail = detail_of(one, with_transfers);
    cell.strength = one.agrees ? 0.15 : 1;
    layer.cells.push_back(std::move(cell));
  }
  return layer;
}

std::string sentence(const std::vector<Judged>& judged, bool with_transfers) {
  if (judged.empty()) return "";
  std::size_t agrees = 0, sure = 0;
  double log_sum = 0, worst = 0;
  for (const Judged& one : judged) {
    agrees += one.agrees ? 1 : 0, sure += one.advised.sure ? 1 : 0;
    log_sum += std::log1p(std::max(0.0, one.loss)), worst = std::max(worst, one.loss);
  }
  const double mean = std::exp(-log_sum / static_cast<double>(judged.size()));
  return std::string(with_transfers ? " With copies: " : "Without copies: ") + "of " +
         plural(judged.size(), "problem") + " it names the fastest, or one that ties with it, at " +
         std::to_string(agrees) + "; what it names reaches " + format_percent(mean) +
         " of the fastest one's speed in the mean, and takes at most " + format_percent(worst) + " longer. " +
         (sure ? "It called " + std::to_string(sure) + " of its answers sure."
               : "It called none of its answers sure.");
}

Table differences(const std::vector<Judged>& without, const std::vector<Judged>& with) {
  Table table;
  table.title = "Where advice and measurement differ";
  table.columns = {{"kernel"}, {"type"}, {"size"}, {"copies"}, {"advised"}, {"sure"}, {"fastest"}, {"loss"}};
  table.keys = 1;
  std::vector<std::pair<const Judged*, bool>> differing;
  for (const bool copies : {false, true})
    for (const Judged& one : copies ? with : without)
      if (!one.agrees) differing.emplace_back(&one, copies);
  std::stable_sort(differing.begin(), differing.end(),
                   [](const auto& a, const auto& b) { return a.first->loss > b.first->loss; });
  for (const auto& [one, copies] : differing) {
    const StudyRow& row = *one->standing.row;
    table.rows.push_back({row.kernel, name_of(row.type), row.size,
                          with.empty() ? Cell() : Cell(copies ? "with" : "without"), one->advised.column,
                          one->advised.sure ? "yes" : "no", text_of(one->standing), loss_text(one->loss)});
  }
  drop_if_empty(&table, "copies");
  return table;
}

// Returns the models that were advised at least once, in the order of study_columns.
std::vector<std::string> categories_of(const std::vector<Judged>& without, const std::vector<Judged>& with) {
  std::vector<std::string> names;
  for (const char* column : study_columns)
    for (const std::vector<Judged>* part : {&without, &with})
      if (std::any_of(part->begin(), part->end(),
                      [&](const Judged& one) { return one.advised.column == column; }) &&
          index(names, column) == names.size())
        names.emplace_back(column);
  return names;
}

std::string of_machine(const Context& context, std::size_t number) {
  const Machine& machine = context.machines[number];
  const std::vector<Judged> without = judge(context, machine, false);
  const std::vector<Judged> with =
      has_copies(machine) ? judge(context, machine, true) : std::vector<Judged>();
  if (without.empty() && with.empty()) return "";
  std::vector<Judged> both = without;
  both.insert(both.end(), with.begin(), with.end());
  const std::vector<std::string> sizes = sizes_of(both), categories = categories_of(without, with);
  std::vector<std::string> kernels;
  for (const StudyGroup& group : machine.groups) kernels.push_back(short_name_of(*group.front()));
  std::vector<HeatLayer> layers = {layer_of(without, sizes, categories, false)};
  if (!with.empty()) layers.push_back(layer_of(with, sizes, categories, true));
  const std::string suffix = machine_suffix(context, number);
  return machine_heading(context, machine) + element("p", sentence(without, false) + sentence(with, true)) +
         figure_html({"advice-map" + suffix, "The advised model at each kernel and N",
                      "A map of kernels and sizes coloured by the model that is advised, pale where the "
                      "measurements agree; the table below holds where they differ."},
                     heatmap_spec(sizes, kernels, {categories, "", "", false}, layers)) +
         html_table({differences(without, with), "advice" + suffix});
}

}  // namespace

std::string advice_section(const Context& context) {
  if (!context.options.advise) return "";
  std::string html;
  for (std::size_t i = 0; i < context.machines.size(); ++i) html += of_machine(context, i);
  if (html.empty()) return "";
  return section_open("advice", "The advice for these cases") +
         element("p",
                 "The advice uses the machine's ceilings and this program's model. The model may be trained "
                 "with runs of such a machine, but not with the measurements of this page. Colours show the "
                 "advised model: pale where the measurements agree, full where another was faster, with the "
                 "extra time.") +
         html + "</section>\n";
}

}  // namespace sextant::report
