// Report section that compares the fastest results of several machines for each problem.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "analysis/study/advice.hpp"
#include "base/plural.hpp"
#include "present/format.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

// One problem with its fastest result on each machine.
struct Meeting {
  const StudyRow* row = nullptr;  // the row of the first machine that has this problem
  std::vector<const Summary*> fastest;
};

using Key = std::tuple<std::string, ElementType, CacheMode, std::string, std::string>;

std::vector<Meeting> meetings_of(const Context& context) {
  std::vector<Meeting> meetings;
  std::map<Key, std::size_t> places;
  for (std::size_t i = 0; i < context.machines.size(); ++i)
    for (const StudyGroup& group : context.machines[i].groups)
      for (const Standing& one : standings(group, false)) {
        const Key key{one.row->kernel, one.row->type, one.row->cache, one.row->threads, one.row->size};
        const auto [place, fresh] = places.try_emplace(key, meetings.size());
        if (fresh)
          meetings.push_back({one.row, std::vector<const Summary*>(context.machines.size(), nullptr)});
        meetings[place->second].fastest[i] = &one.fastest();
      }
  std::erase_if(meetings, [](const Meeting& m) {
    return std::count(m.fastest.begin(), m.fastest.end(), nullptr) + 1 >=
           static_cast<std::ptrdiff_t>(m.fastest.size());
  });
  return meetings;
}

Table ratios(const Context& context, const std::vector<Meeting>& meetings) {
  Table table;
  table.title = "The fastest version of each machine; ratios over " + context.machines[0].label;
  table.keys = 2;
  table.columns = {{"kernel"}, {"type"}, {"size", "N", Unit::count}};
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    table.columns.push_back({"time" + std::to_string(i), context.machines[i].label, Unit::seconds});
    table.columns.push_back({"variant" + std::to_string(i), "variant"});
    if (i) table.columns.push_back({"ratio" + std::to_string(i), "times as fast", Unit::ratio});
  }
  for (const Meeting& m : meetings) {
    std::vector<Cell> cells = {m.row->kernel, name_of(m.row->type), m.row->size};
    for (std::size_t i = 0; i < m.fastest.size(); ++i) {
      const Summary* s = m.fastest[i];
      cells.push_back(s ? Cell(s->call_time.median) : Cell());
      cells.push_back(s ? Cell(s->measurement->what.variant) : Cell());
      if (i)
        cells.push_back(s && m.fastest[0] ? Cell(m.fastest[0]->call_time.median / s->call_time.median)
                                          : Cell());
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// Draws the fastest time over N: one figure per kernel and type, one curve per machine.
std::string figures(const Context& context, const std::vector<Meeting>& meetings) {
  std::vector<std::pair<std::string, ElementType>> kernels;
  for (const Meeting& m : meetings)
    if (std::find(kernels.begin(), kernels.end(), std::pair(m.row->kernel, m.row->type)) == kernels.end())
      kernels.emplace_back(m.row->kernel, m.row->type);
  std::vector<std::pair<std::string, Spec>> choices;
  for (const auto& [kernel, type] : kernels) {
    std::vector<Line> lines;
    for (std::size_t i = 0; i < context.machines.size(); ++i) {
      Line line{context.machines[i].label, {}};
      for (const Meeting& m : meetings)
        if (m.row->kernel == kernel && m.row->type == type && m.row->plain() && m.fastest[i]) {
          const Interval& time = m.fastest[i]->call_time;
          line.points.push_back({static_cast<double>(m.row->n), time.median, time.low, time.high});
        }
      if (!line.points.empty()) lines.push_back(std::move(line));
    }
    choices.emplace_back(kernel + ", " + name_of(type),
                         lines_spec({"N, elements of all arrays", "", true}, {"time", "s", true}, lines));
  }
  return choice_html({"machines-figure", "Time of the fastest version on each machine, by N",
                      "One curve per machine; choose the kernel. The table below holds the numbers."},
                     choices);
}

std::string sentence(const Context& context, const std::vector<Meeting>& meetings) {
  std::string text;
  for (std::size_t i = 1; i < context.machines.size(); ++i) {
    std::vector<double> gains;
    std::size_t faster = 0;
    for (const Meeting& m : meetings)
      if (m.fastest[0] && m.fastest[i]) {
        gains.push_back(m.fastest[0]->call_time.median / m.fastest[i]->call_time.median);
        if (ratio_of_medians(m.fastest[0]->call_time, m.fastest[i]->call_time).low > 1) ++faster;
      }
    const Spread spread = spread_of(gains);
    if (!spread.count) continue;
    text += (text.empty() ? "" : " ") + context.machines[i].label + " is " + format_ratio(spread.mean) +
            " as fast as " + context.machines[0].label + " in the geometric mean of " +
            plural(spread.count, "problem") + " (" + format_ratio(spread.low) + " to " +
            format_ratio(spread.high) + "), beyond noise faster at " + std::to_string(faster) + ".";
  }
  return text;
}

}  // namespace

std::string machines_section(const Context& context) {
  if (!context.several()) return "";
  const std::vector<Meeting> meetings = meetings_of(context);
  std::string html = section_open("machines", "Machines");
  if (meetings.empty()) return html + "<p>The machines have no problem in common.</p>\n</section>\n";
  html += element("p", sentence(context, meetings)) + figures(context, meetings);
  return html + html_table({ratios(context, meetings), "machines"}) + "</section>\n";
}

}  // namespace sextant::report
