// Programs: how their time splits into the phases that they report.
#include <algorithm>
#include <map>

#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

// The best of each column at each problem, where it has phases.
std::vector<std::pair<const StudyRow*, const Summary*>> programs_of(const StudyGroup& group) {
  std::vector<std::pair<const StudyRow*, const Summary*>> found;
  for (const StudyRow* row : group)
    for (const char* column : study_columns)
      if (const auto best = row->best.find(column); best != row->best.end())
        if (!best->second->measurement->phases.empty()) found.emplace_back(row, best->second);
  return found;
}

std::string figure(const Context& context, const StudyGroup& group,
                   const std::vector<std::pair<const StudyRow*, const Summary*>>& programs) {
  std::vector<std::string> categories, names;
  for (const auto& [row, s] : programs) {
    categories.push_back(row->size + ", " + s->measurement->what.variant);
    for (const Phase& phase : s->measurement->phases)
      if (std::find(names.begin(), names.end(), phase.name) == names.end()) names.push_back(phase.name);
  }
  std::vector<Bars> bars;
  std::vector<double> sums(programs.size());  // sizes differ by orders of magnitude: shares are drawn
  for (std::size_t i = 0; i < programs.size(); ++i)
    for (const Phase& phase : programs[i].second->measurement->phases)
      if (!phase.times.empty()) sums[i] += median_interval(phase.times).median;
  for (const std::string& name : names) {
    Bars& one = bars.emplace_back(Bars{name, std::vector<Value>(programs.size())});
    for (std::size_t i = 0; i < programs.size(); ++i)
      for (const Phase& phase : programs[i].second->measurement->phases)
        if (phase.name == name && !phase.times.empty() && sums[i] > 0)
          one.values[i] = median_interval(phase.times).median / sums[i];
  }
  return bars_figure(
      {id_of_group(context, group) + "-phases", "Phases of " + name_of_group(context, group),
       "Stacked bars, one a size and variant, of each phase's share of their sum; the table below holds the "
       "times."},
      categories, true, {"share of the phases", "", false}, bars);
}

}  // namespace

std::string programs_section(const Context& context) {
  Table table;
  table.title = "Phases of programs";
  table.keys = 3;
  table.columns = {{"program"},
                   {"size", "size"},
                   {"variant"},
                   {"phase"},
                   {"time", "median", Unit::seconds},
                   {"low", "low", Unit::seconds},
                   {"high", "high", Unit::seconds},
                   {"share", "of the call", Unit::percent}};
  std::string figures;
  for (const Machine& machine : context.machines)
    for (const StudyGroup& group : machine.groups) {
      const auto programs = programs_of(group);
      if (programs.empty()) continue;
      figures += figure(context, group, programs);
      for (const auto& [row, s] : programs)
        for (const Phase& phase : s->measurement->phases) {
          if (phase.times.empty()) continue;
          const Interval time = median_interval(phase.times);
          table.rows.push_back({name_of_group(context, group), row->size, s->measurement->what.variant,
                                phase.name, time.median, time.low, time.high,
                                s->call_time.median > 0 ? Cell(time.median / s->call_time.median) : Cell()});
        }
    }
  if (table.rows.empty()) return "";
  return section_open("programs", "Programs") + "<div class=\"figures\">\n" + figures + "</div>\n" +
         html_table({table, "phases"}) + "</section>\n";
}

}  // namespace sextant::report
